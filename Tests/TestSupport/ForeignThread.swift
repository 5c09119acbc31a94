import Foundation

/// Runs work on a thread that knows nothing of the caller's task, and returns when it is done.
package func onForeignThread(_ work: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    work()
    done.signal()
  }
  done.wait()
}
