import Foundation
import StoreClients

/// A process of `store-worker`, and the lines that it has written.
final class Worker: Sendable {
  private let process: Process
  private let output: FileHandle
  private let input = Pipe()
  let lines: AsyncStream<String>

  init(_ kind: StoreKind, _ arguments: [String]) throws {
    process = Process()
    let folder = Bundle(for: Marker.self).bundleURL
    process.executableURL = folder.appending(path: "store-worker")
    process.arguments = [kind.rawValue, "\(Servers.port(of: kind))"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = input
    output = pipe.fileHandleForReading
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    try process.run()
    let handle = output
    Thread {
      var rest = Data()
      while case let data = handle.availableData, !data.isEmpty {
        rest += data
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[(end + 1)...])
        }
      }
      continuation.finish()
    }.start()
  }

  deinit { if process.isRunning { signal(SIGKILL) } }

  /// Tells the process to begin.
  func begin() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

  func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// The next line; `nil` if the process has ended.
  func next() async -> String? {
    for await line in lines { return line }
    return nil
  }

  /// All further lines, until the process has ended.
  func rest() async -> [String] {
    var all: [String] = []
    for await line in lines { all.append(line) }
    process.waitUntilExit()
    return all
  }
}

private final class Marker {}
