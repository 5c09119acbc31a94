import Dispatch
import Foundation
import _EscapementCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

#if canImport(FoundationNetworking)

  extension LoadingClient {
    /// Tells Foundation the end of a request; on the loading queue.
    ///
    /// Foundation resumes an `async` caller right here. Resuming waits while the caller is being cancelled,
    /// and cancelling waits for the loading queue: on the queue that is a deadlock
    /// (swift-corelibs-foundation#5412, mended in 6.4). Elsewhere Foundation would read tables that the
    /// queue is changing. So another thread tells it while the queue waits, until the thread has
    /// returned or sleeps: then it has read the tables, and waits for the one who cancels.
    func tell(_ done: @escaping @Sendable () -> Void, _ end: @escaping () -> Void) {
      nonisolated(unsafe) let end = end
      Finisher.take().run {
        end()
        done()
      }
    }
  }

  /// A thread that tells Foundation the end of a request.
  final class Finisher: Sendable {
    private enum State {
      case idle
      case working(@Sendable () -> Void)
      /// Nobody waits for the thread any more.
      case abandoned
    }

    private static let idle = Lock<[Finisher]>([])

    private let state = Lock(State.idle)
    private let hasWork = DispatchSemaphore(value: 0)
    private let hasStarted = DispatchSemaphore(value: 0)
    private let hasReturned = DispatchSemaphore(value: 0)
    /// Where the kernel says what the thread does; -1 if it does not.
    private let status = Lock<CInt>(-1)

    /// One that has nothing to do.
    static func take() -> Finisher { idle.withLock { $0.popLast() } ?? Finisher() }

    private init() { Thread.detachNewThread { [self] in work() } }

    private func work() {
      status.withLock { $0 = open("/proc/thread-self/stat", O_RDONLY | O_CLOEXEC) }
      while true {
        hasWork.wait()
        guard case .working(let body) = state.withLock({ $0 }) else { continue }
        hasStarted.signal()
        body()
        let isAbandoned = state.withLock { state in
          defer { state = .idle }
          if case .abandoned = state { return true } else { return false }
        }
        if isAbandoned { giveBack() } else { hasReturned.signal() }
      }
    }

    /// Runs something on the thread, and returns when it has returned or sleeps.
    func run(_ body: @escaping @Sendable () -> Void) {
      state.withLock { $0 = .working(body) }
      hasWork.signal()
      hasStarted.wait()
      var looksAsleep = 0
      while hasReturned.wait(timeout: .now() + .milliseconds(1)) == .timedOut {
        looksAsleep = isAsleep ? looksAsleep + 1 : 0
        // More than once, since a lock that Foundation needs may be taken for a moment.
        if looksAsleep >= 3, abandon() { return }
      }
      giveBack()
    }

    /// Lets the thread go on alone; `false` if it has returned.
    private func abandon() -> Bool {
      state.withLock { state in
        guard case .working = state else { return false }
        state = .abandoned
        return true
      }
    }

    private func giveBack() { Self.idle.withLock { $0.append(self) } }

    /// Whether the thread waits for something, rather than for a processor.
    private var isAsleep: Bool {
      let file = status.withLock { $0 }
      guard file >= 0 else { return true }
      return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
        let count = pread(file, buffer.baseAddress, buffer.count, 0)
        guard count > 0 else { return true }
        // The name of the thread is in parentheses, and may contain some.
        guard let name = buffer[..<count].lastIndex(of: UInt8(ascii: ")")), name + 2 < count else {
          return true
        }
        return buffer[name + 2] == UInt8(ascii: "S")
      }
    }
  }

#else

  extension LoadingClient {
    /// Tells Foundation the end of a request.
    func tell(_ done: @escaping @Sendable () -> Void, _ end: () -> Void) {
      end()
      done()
    }
  }

#endif
