import EscapementClocks

/// A task that sleeps on the clock of a double, and then does something on the main actor.
///
/// The sleep begins before the task has been created for the caller, where the platform has tasks
/// that start at once. So equal deadlines, of doubles and of other sleeps, keep the order of the
/// calls.
struct Alarm: Sendable {
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - name: The task's name, as it appears in reports of sleepers and leftovers.
  ///   - clock: The clock to sleep on.
  ///   - deadline: When to ring first.
  ///   - tolerance: How late the clock may be.
  ///   - ring: What is done at the deadline. Returns the next deadline, or `nil` to end.
  ///   - failure: Is told that the clock does not let anybody sleep any more.
  init(
    _ name: String, clock: AnyClock<Duration>, deadline: AnyClock<Duration>.Instant,
    tolerance: Duration? = nil,
    ring: @escaping @MainActor @Sendable () -> AnyClock<Duration>.Instant?,
    failure: @escaping @Sendable (any Error) -> Void
  ) {
    let run: @Sendable () async -> Void = {
      do {
        // Ringing inside the call that sets the alarm would surprise: no run loop does that.
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
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      task = Task.immediate(name: name) { await run() }
    } else {
      task = Task(name: name) { await run() }
    }
  }

  func cancel() { task.cancel() }
}
