import CVirtualTime
import Dispatch
import Synchronization

/// Runs work on a thread that belongs to no scope, even if the caller does.
func outside(after delay: DispatchTimeInterval? = nil, _ work: @escaping @Sendable () -> Void) {
  cvt_thread_exempt(+1)
  defer { cvt_thread_exempt(-1) }
  if let delay {
    DispatchQueue.global().asyncAfter(deadline: .now() + delay, execute: work)
  } else {
    DispatchQueue.global().async(execute: work)
  }
}

/// Suspends the caller, and resumes it from a thread that runs no task.
func resumedByForeignThread() async {
  await withCheckedContinuation { continuation in
    outside { continuation.resume() }
  }
}

/// Keeps the thread busy for a moment, without a clock.
func keepBusy(_ rounds: Int = 200) {
  let counter = Atomic(0)
  for _ in 0..<rounds { counter.add(1, ordering: .sequentiallyConsistent) }
}
