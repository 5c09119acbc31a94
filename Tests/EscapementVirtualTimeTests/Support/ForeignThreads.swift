import Dispatch
import Synchronization

/// Suspends the caller, and resumes it from a thread that runs no task.
func resumedByForeignThread() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume() }
  }
}

/// Keeps the thread busy for a moment, without a clock.
func keepBusy(_ rounds: Int = 200) {
  let counter = Atomic(0)
  for _ in 0..<rounds { counter.add(1, ordering: .sequentiallyConsistent) }
}
