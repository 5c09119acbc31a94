import EscapementClocks
import _EscapementCore

/// A task that sleeps on the clock of a double, and then runs a closure on the main actor.
///
/// On platforms with tasks that start immediately, the sleep has begun when the initialiser
/// returns. So equal deadlines, of doubles and of other sleeps, keep the order of the calls.
struct Alarm: Sendable {
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - name: The task's name, as it appears in reports of sleepers and leftovers.
  ///   - clock: The clock to sleep on.
  ///   - deadline: The first deadline.
  ///   - tolerance: How late the clock may be.
  ///   - ring: Runs at each deadline. Returns the next deadline, or `nil` to end.
  ///   - failure: Runs if the clock throws an error other than `CancellationError`.
  init(
    _ name: String, clock: AnyClock<Duration>, deadline: AnyClock<Duration>.Instant,
    tolerance: Duration? = nil,
    ring: @escaping @MainActor @Sendable () -> AnyClock<Duration>.Instant?,
    failure: @escaping @Sendable (any Error) -> Void
  ) {
    task = .startingHere(name: name) {
      do {
        // As with a run loop, a timer never fires inside the call that adds it.
        if deadline <= clock.now { await Task.yield() }
        var next: AnyClock<Duration>.Instant? = deadline
        while let deadline = next {
          try await clock.sleep(until: deadline, tolerance: tolerance)
          next = await ring()
        }
      } catch is CancellationError {
      } catch {
        failure(error)
      }
    }
  }

  func cancel() { task.cancel() }
}
