import Cluster
import Foundation
import Synchronization

/// A disk that takes 2 ms to sync, and loses all else in a crash.
final class SimulatedDisk: Journal {
  private struct Content {
    var synced: [Data] = []
    var written: [Data] = []
  }

  private let content = Mutex(Content())

  /// The member begins a new life, in which nothing is left that was not synced.
  func read() -> [Data] {
    content.withLock {
      $0.written = $0.synced
      return $0.synced
    }
  }

  func write(_ line: Data) { content.withLock { $0.written.append(line) } }

  func sync() async throws {
    let written = content.withLock { $0.written }
    try await Task.sleep(for: .milliseconds(2))
    content.withLock { $0.synced = written }
  }
}
