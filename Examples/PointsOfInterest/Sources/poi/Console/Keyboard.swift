import Foundation

/// Standard input, where a person presses Return.
enum Keyboard {
  /// An element for each press of Return, from now on; only the newest is kept for a slow reader.
  static func returns() -> AsyncStream<Void> {
    let (presses, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // A thread of its own, because reading blocks. It ends with the input, or with the process.
    Thread.detachNewThread {
      while readLine() != nil { continuation.yield() }
      continuation.finish()
    }
    return presses
  }
}
