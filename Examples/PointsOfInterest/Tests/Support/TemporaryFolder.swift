import Foundation

/// A new folder, which is removed with the object.
package final class TemporaryFolder: Sendable {
  private let url = FileManager.default.temporaryDirectory.appending(path: "poi-\(UUID())")

  package init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of a file in the folder.
  package func file(_ name: String) -> String { url.appending(path: name).path }
}
