import Dispatch
import EscapementVirtualTime
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
    /// Tells Foundation that a request has ended.
    ///
    /// Must be called on the loading queue.
    ///
    /// Foundation resumes an `async` caller inside this call. If the caller is being cancelled,
    /// resuming it waits for the cancellation, and the cancellation waits for the loading queue: a
    /// deadlock (swift-corelibs-foundation#5412, fixed in 6.4). Without the queue, Foundation would
    /// read tables while the queue changes them. So another thread makes the call while the queue
    /// waits until that thread has returned or sleeps. A sleeping thread has read the tables and
    /// waits for the cancellation.
    func tell(_ done: @escaping @Sendable () -> Void, _ end: @escaping () -> Void) {
      nonisolated(unsafe) let end = end
      Finisher.take().run {
        end()
        done()
      }
    }
  }

  /// A thread that tells Foundation that a request has ended.
  final class Finisher: Sendable {
    private enum State {
      case idle
      case working(@Sendable () -> Void)
      /// The loading queue no longer waits for the thread.
      case abandoned
    }

    private static let idle = Lock<[Finisher]>([])

    private let state = Lock(State.idle)
    private let hasWork = DispatchSemaphore(value: 0)
    private let hasStarted = DispatchSemaphore(value: 0)
    private let hasReturned = DispatchSemaphore(value: 0)
    /// The file in which the kernel shows the state of the thread; -1 if there is none.
    private let status = Lock<CInt>(-1)

    /// Returns an idle finisher.
    static func take() -> Finisher { idle.withLock { $0.popLast() } ?? Finisher() }

    // The thread serves the whole process, and belongs to no scope.
    private init() { exempt { Thread.detachNewThread { [self] in work() } } }

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

    /// Runs a closure on the thread.
    ///
    /// Returns when the closure has returned or the thread sleeps.
    func run(_ body: @escaping @Sendable () -> Void) { exempt { runForReal(body) } }

    private func runForReal(_ body: @escaping @Sendable () -> Void) {
      state.withLock { $0 = .working(body) }
      hasWork.signal()
      hasStarted.wait()
      var looksAsleep = 0
      while hasReturned.wait(timeout: .now() + .milliseconds(1)) == .timedOut {
        looksAsleep = isAsleep ? looksAsleep + 1 : 0
        // Checked several times, because a lock that Foundation needs may be taken for a moment.
        if looksAsleep >= 3, abandon() { return }
      }
      giveBack()
    }

    /// Stops waiting for the thread; `false` if its closure has returned.
    private func abandon() -> Bool {
      state.withLock { state in
        guard case .working = state else { return false }
        state = .abandoned
        return true
      }
    }

    private func giveBack() { Self.idle.withLock { $0.append(self) } }

    /// Whether the thread sleeps, that is, waits for something other than a processor.
    private var isAsleep: Bool {
      let file = status.withLock { $0 }
      guard file >= 0 else { return true }
      return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
        let count = pread(file, buffer.baseAddress, buffer.count, 0)
        guard count > 0 else { return true }
        // The name of the thread is in parentheses, and may itself contain parentheses.
        guard let name = buffer[..<count].lastIndex(of: UInt8(ascii: ")")), name + 2 < count else {
          return true
        }
        return buffer[name + 2] == UInt8(ascii: "S")
      }
    }
  }

#else

  extension LoadingClient {
    /// Tells Foundation that a request has ended.
    func tell(_ done: @escaping @Sendable () -> Void, _ end: () -> Void) {
      end()
      done()
    }
  }

#endif
