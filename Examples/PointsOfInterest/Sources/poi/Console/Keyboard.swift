import Foundation

/// The Return key, read from standard input.
enum Keyboard {
  /// An element for each press of Return from now on; keeps only the newest one for a slow reader.
  static func returns() -> AsyncStream<Void> {
    let (presses, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Reading blocks, so it has its own thread, which ends with the input or the process.
    Thread.detachNewThread {
      while readLine() != nil { continuation.yield() }
      continuation.finish()
    }
    return presses
  }
}
