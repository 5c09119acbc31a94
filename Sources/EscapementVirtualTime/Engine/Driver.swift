/// Somebody who moves time by hand, and waits until all consequences are done.
struct Driver {
  enum Goal {
    /// Let everything run that can; time stands.
    case settle
    /// Visit every deadline up to and including this instant.
    case advance(to: Nanoseconds)
    /// Visit deadlines until none is left, at most this many.
    case run(limit: Int)
    /// Make a step of another clock each time nothing else can run, until it has none left.
    case steps(@Sendable () -> Bool)
  }

  enum Outcome {
    case done, limitReached, scopeEnded
  }

  var goal: Goal
  let continuation: UnsafeContinuation<Outcome, Never>
}
