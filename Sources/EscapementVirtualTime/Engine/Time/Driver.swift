// `advance`, `settle` and `run` add a driver, a goal with a continuation, and suspend their caller.
// The draining thread resumes it when the goal is reached and nothing else can run. Drivers may be
// nested, when code that was woken by one moves time itself; the latest goes first.
//
// A `TestClock` in a scope is a driver as well: through the seam in `_EscapementCore` it asks the
// scope of its caller to call it each time nothing else can run, and then wakes its next sleeper.
// It knows nothing of the engine.

/// A call that moves time by hand, and waits until all consequences are done.
struct Driver {
  enum Goal {
    /// Let everything run that can; time stands.
    case settle
    /// Move time so far, visiting every deadline on the way; what other drivers move does not
    /// count.
    case move(by: Nanoseconds)
    /// Visit every deadline up to and including this instant.
    case advance(to: Nanoseconds)
    /// Visit deadlines until none is left, at most this many.
    case run(limit: Int)
    /// Make a step of another clock each time nothing else can run, until it has none left.
    case steps(@Sendable () -> Bool)
  }

  enum Outcome {
    case done
    /// `run` has passed as many deadlines as it may.
    case limitReached
    /// The body has ended meanwhile, or a limit of the scope was reached; that has its own report.
    case cutOff
    /// The scope had ended before.
    case scopeEnded
  }

  typealias ID = UInt64

  var goal: Goal
  /// Tells a driver of a scope from the others.
  var id: ID = 0
  let continuation: UnsafeContinuation<Outcome, Never>
}

/// The calls of a scope that move time by hand; the latest goes first, since it runs inside what
/// others have set off.
struct Drivers {
  private var all: [Driver] = []
  private var nextID: Driver.ID = 0

  var isEmpty: Bool { all.isEmpty }

  var last: Driver? { all.last }

  mutating func append(_ driver: Driver) {
    var driver = driver
    driver.id = nextID
    nextID += 1
    all.append(driver)
  }

  mutating func setGoalOfLast(_ goal: Driver.Goal) { all[all.count - 1].goal = goal }

  mutating func removeLast() -> Driver { all.removeLast() }

  /// The driver that was asked for a step had none left.
  mutating func stepsAreDone(of driver: Driver.ID) {
    // It is not the last one if code on another thread has begun to move time meanwhile.
    guard let index = all.lastIndex(where: { $0.id == driver }) else { return }
    all[index].goal = .settle
  }

  /// Takes them all out: they wait for nothing now.
  mutating func removeAll() -> [Driver] {
    defer { all = [] }
    return all
  }
}
