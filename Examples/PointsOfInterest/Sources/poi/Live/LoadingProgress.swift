import PointsOfInterest

/// A line that counts the seconds while the places are loaded, redrawn in place.
@MainActor
final class LoadingProgress {
  private let write: (String) -> Void
  private var counting: Task<Void, any Error>?

  init(write: @escaping (String) -> Void) {
    self.write = write
  }

  /// Counts from 1 until the end of loading, and clears the line before each other event.
  func update(after event: FeaturedPlaceEvent) {
    erase()
    switch event {
    case .loadingStarted:
      end()
      counting = Task { [write] in
        for second in 1... {
          try await Task.sleep(for: .seconds(1))
          write("\rloading, \(second) s")
        }
      }
    case .refreshed, .refreshFailed: end()
    case .restored, .loadingFailed, .storeFailed, .movedOn: break
    }
  }

  /// Stops counting, and clears the line.
  func stop() {
    erase()
    end()
  }

  private func end() {
    counting?.cancel()
    counting = nil
  }

  private func erase() {
    if counting != nil { write(ProgressBar.erasure) }
  }
}
