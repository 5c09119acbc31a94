import CVirtualTime
import _EscapementCore

/// How it looks when a task waits for the next element of a stream.
enum StreamWaits {
  /// How many of the innermost calls are compared, which are in the runtime's library.
  private static let depth = 3
  private static let known = Lock<[[UInt64]]>([])

  /// Whether a task whose calls go on at these addresses waits for an `AsyncStream` or an
  /// `AsyncThrowingStream`.
  static func contain(_ addresses: [UInt64]) -> Bool {
    known.withLock { $0.contains { addresses.starts(with: $0) } }
  }

  /// Looks at two tasks that wait for streams.
  static func learn() {
    #if os(Linux)
      let (stream, end) = AsyncStream.makeStream(of: Never.self)
      let (throwing, endOfThrowing) = AsyncThrowingStream.makeStream(of: Never.self)
      // Each runs until it waits.
      let first = Task.immediateDetached { for await _ in stream {} }
      let second = Task.immediateDetached { for try await _ in throwing {} }
      let waits = [
        WaitingPlace(of: unsafeBitCast(first, to: UnsafeRawPointer.self)),
        WaitingPlace(of: unsafeBitCast(second, to: UnsafeRawPointer.self)),
      ]
      known.withLock { $0 = waits.compactMap { $0?.innermost(depth) } }
      end.finish()
      endOfThrowing.finish()
    #endif
  }
}
