import CVirtualTime
import Dispatch
import _EscapementCore

// At the end of a scope, those who are left over run aside, on a thread that can be spared.
//
// A loop like `while true { try? await Task.sleep(...) }` on an actor does not suspend any more once
// it is cancelled: it keeps its thread for ever. If that were the main thread, the process would
// hang. Main-actor jobs still run there; they suspend at every sleep.

/// Tells whether the thread aside comes back.
struct AsideVisits {
  /// Counts the slices that were begun aside.
  private(set) var count = 0
  private var isInside = false
  /// Whether a slice was given up, and the scope has ended without it.
  private(set) var isLost = false

  mutating func begin() -> Bool {
    guard !isLost else { return false }
    count += 1
    isInside = true
    return true
  }

  /// Returns `false` if the slice was given up meanwhile.
  mutating func end() -> Bool {
    isInside = false
    return !isLost
  }

  /// Gives the present slice up if it is still the one with this number.
  mutating func giveUp(_ number: Int) -> Bool {
    guard isInside, count == number else { return false }
    isLost = true
    return true
  }
}

extension Scope {
  /// Whether a job has to run on the other thread than this slice.
  func belongsElsewhere(_ job: ReadyJob) -> Bool {
    if case .cancelled = ending { job.onMain == isAside } else { false }
  }

  /// Makes the thread aside drain the scope.
  func scheduleAside() {
    if asideVisits.withLock({ $0.count == 0 }), case .cancelled(_, let leftovers) = ending {
      let problem = Problem.leftovers(leftovers, unresponsive: leftovers, policy: options.leftovers)
      watchAside(reporting: problem, lastVisit: 0)
    }
    asideQueue.async {
      guard self.asideVisits.withLock({ $0.begin() }) else { return }
      self.isAside = true
      let end = self.drainSlice()
      // A thread that comes back when nobody waits for it any more must not touch anything.
      guard self.asideVisits.withLock({ $0.end() }) else { return }
      self.proceed(after: end)
    }
  }

  /// Looks, from time to time, whether the thread aside comes back.
  private func watchAside(reporting problem: Problem?, lastVisit: Int) {
    let limit = max(options.stallLimit, .milliseconds(100))
    let deadline = DispatchTime.now() + .nanoseconds(Int(Nanoseconds(roundingUp: limit)))
    DispatchQueue.main.asyncAfter(deadline: deadline) { [weak self] in
      guard let self, !state.withLock(\.hasEnded) else { return }
      if asideVisits.withLock({ $0.giveUp(lastVisit) }) {
        abandon(reporting: problem)
      } else {
        watchAside(reporting: problem, lastVisit: asideVisits.withLock(\.count))
      }
    }
  }

  /// Ends the scope although one of those who are left over keeps the thread aside.
  private func abandon(reporting problem: Problem?) {
    report(problem)
    state.withLock { $0.end() }
    // The thread waits for ever when it reads a clock or begins a job next, and uses no processor.
    Scopes.end(self, forgetting: false)
    whenFinished.withLock { $0.take() }?()
  }
}
