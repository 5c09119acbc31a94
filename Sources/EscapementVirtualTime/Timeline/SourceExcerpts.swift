#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Lines around places in source files, as far as the files can be read.
struct SourceExcerpts {
  private static let linesBefore = 3
  private static let linesAfter = 4
  private var files: [String: [Substring]] = [:]

  /// The number of the first line, and the lines.
  mutating func excerpt(of path: String, around line: Int) -> (first: Int, lines: [Substring])? {
    let lines =
      files[path]
      ?? Self.read(path).split(separator: "\n", omittingEmptySubsequences: false)
    files[path] = lines
    guard lines.indices.contains(line - 1) else { return nil }
    let first = max(1, line - Self.linesBefore)
    let last = min(lines.count, line + Self.linesAfter)
    return (first, lines[first - 1..<last].map { $0.prefix(200) })
  }

  private static func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
