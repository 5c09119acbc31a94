#if os(Linux)
  import CEventFiles
  import Foundation

  /// The pool of threads that serves the process, made of the same parts as that of SwiftNIO.
  final class ThreadPool: @unchecked Sendable {
    // Sendable because `condition` protects the work.

    typealias Work = @Sendable () -> Void

    static let shared = ThreadPool()

    static let threadCount = 2

    private let condition = NSCondition()
    private var work: ArraySlice<Work> = []

    private init() {
      let hasBegun = NSCondition()
      nonisolated(unsafe) var begun = 0
      for number in 0..<ThreadPool.threadCount {
        Thread.detachNewThread { [self] in
          name_thread("SGLTN-TP-#\(number)")
          hasBegun.withLock { begun += 1 }
          hasBegun.broadcast()
          while true { nextWork()() }
        }
      }
      hasBegun.withLock {
        while begun < ThreadPool.threadCount { hasBegun.wait() }
      }
    }

    private func nextWork() -> Work {
      condition.withLock {
        while work.isEmpty { condition.wait() }
        return work.removeFirst()
      }
    }

    /// Runs something on a thread of the pool.
    func submit(_ work: @escaping Work) {
      condition.withLock { self.work.append(work) }
      condition.signal()
    }

    /// Runs something on a thread of the pool, and returns when that has ended.
    func run(_ work: @escaping Work) async {
      await withCheckedContinuation { done in
        submit {
          work()
          done.resume()
        }
      }
    }
  }
#endif
