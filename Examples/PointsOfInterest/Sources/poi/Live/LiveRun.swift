import Escapement
import Foundation
import PointsOfInterest

/// Runs the app live, and sums up what it showed.
@MainActor
struct LiveRun {
  var loader: any PlaceLoader
  /// Keeps the places for the next run.
  var store: (any PlaceStore)?
  /// How long the run takes; `nil` if only an interruption ends it.
  let length: Duration?
  /// The user's presses of Return.
  let returns: AsyncStream<Void>
  let interruptions: AsyncStream<Void>
  let write: (String) -> Void
  /// Writes what is redrawn in place, to a terminal.
  var writeProgress: (String) -> Void = { _ in }

  /// Whether the app was launched to host tests, and does nothing by itself.
  var isHostingTests = TestRun.isActive

  /// Runs the app until its time is over or the user interrupts it.
  ///
  /// - Throws: ``LoadingFailure`` if the places cannot be loaded at the start and none are stored,
  ///   because then there is nothing to show.
  func untilEnd() async throws {
    let start = Date()
    var log = ShowLog(start: start)
    let (ends, end) = AsyncThrowingStream.makeStream(of: Void.self)
    var hasPlaces = false
    var hasFailed = false
    let progress = LoadingProgress(write: writeProgress)
    let manager = FeaturedPlaceManager(loader: loader, store: store) { event in
      switch event {
      case .restored: hasPlaces = true
      case .refreshFailed(let error) where !hasPlaces:
        hasFailed = true
        end.finish(throwing: LoadingFailure(error: error))
      case .refreshed where !hasFailed: hasPlaces = true
      default: break
      }
      progress.update(after: event)
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
    AppDelegate(isHostingTests: isHostingTests) { manager.start() }.didFinishLaunching()
    defer {
      manager.stop()
      progress.stop()
    }
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
