import Foundation
import PointsOfInterest

/// Runs the app live, and sums up what it showed.
@MainActor
struct LiveRun {
  let loader: any PlaceLoader
  /// How long the run takes; `nil` if only an interruption ends it.
  let length: Duration?
  /// The user's presses of Return.
  let returns: AsyncStream<Void>
  let interruptions: AsyncStream<Void>
  let write: (String) -> Void

  /// Runs the app until its time is over or the user interrupts it.
  ///
  /// - Throws: ``LoadingFailure`` if the places cannot be loaded at the start, because then there is
  ///   nothing to show.
  func untilEnd() async throws {
    let start = Date()
    var log = ShowLog(start: start)
    let (ends, end) = AsyncThrowingStream.makeStream(of: Void.self)
    var hasFailed = false
    let manager = FeaturedPlaceManager(loader: loader) { event in
      if case .refreshFailed(let error) = event, log.refreshes == 0 {
        hasFailed = true
        end.finish(throwing: LoadingFailure(error: error))
      }
      guard !hasFailed else { return }
      log.record(event, at: Date())
      write(LiveLine(event: event, date: Date()).text)
    }
    let inputs = [
      Task { for await _ in returns { manager.userAskedForNext() } },
      Task { for await _ in interruptions { end.finish() } },
      Task {
        if let length {
          try? await Task.sleep(for: length)
          end.finish()
        }
      },
    ]
    defer { inputs.forEach { $0.cancel() } }
    manager.start()
    defer { manager.stop() }
    for try await _ in ends {}
    log.finish(at: Date())
    write(LiveSummary(log: log, start: start).text)
  }
}

/// The places could not be loaded at the start.
struct LoadingFailure: Error, CustomStringConvertible {
  let error: any Error

  var description: String { "the places cannot be loaded: \(error.inOneLine)" }
}
