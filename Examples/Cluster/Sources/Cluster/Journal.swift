public import Foundation

/// The records of a member on its disk, a line each.
public protocol Journal: Sendable {
  /// The lines that were written before, also in a former life.
  func read() async throws -> [Data]

  /// Writes a line after the others. It may be lost in a loss of power until the next ``sync()`` has ended.
  func write(_ line: Data) async throws

  /// Returns when all lines that were written before this call are on the disk.
  func sync() async throws
}

/// A journal in a file, which holds one line of JSON for each record.
public actor FileJournal: Journal {
  private let url: URL
  private let file: FileHandle

  /// Opens a file, or makes it.
  public init(_ url: URL) throws {
    if !FileManager.default.fileExists(atPath: url.path) {
      try Data().write(to: url)
    }
    self.url = url
    file = try FileHandle(forUpdating: url)
  }

  /// The lines that have an end.
  public func read() throws -> [Data] {
    let content = try Data(contentsOf: url)
    // A line without an end was not confirmed to anyone.
    let end = content.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    try file.truncate(atOffset: UInt64(end))
    return content[..<end].split(separator: UInt8(ascii: "\n"))
  }

  /// Appends a line.
  public func write(_ line: Data) throws {
    try file.seekToEnd()
    try file.write(contentsOf: line + Data("\n".utf8))
  }

  /// Asks the system to write all to the disk.
  public func sync() throws { try file.synchronize() }
}
