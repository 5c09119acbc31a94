/// How long a scope has gone on as it does, in real time.
///
/// The scope is looked at again and again. The time between two looks counts only as far as a look
/// could be expected: a process that was stopped, or did not get a processor, has not waited.
struct Watch {
  /// What is found out by a look.
  enum Finding: Equatable {
    /// Look again after so many nanoseconds.
    case again(after: Nanoseconds)
    /// The scope has gone on like this for too long.
    case tooLong
  }

  /// In how many parts a wait is looked at.
  static let slices: Nanoseconds = 8

  /// Which turn of the baton is watched.
  private var turn = 0
  private var elapsed: Nanoseconds = 0
  private var lastLook: Nanoseconds = 0
  private var isDue = false

  /// Begins to watch a turn.
  ///
  /// Returns when to look, unless a look is due anyway.
  mutating func start(turn: Int, at realTime: Nanoseconds, slice: Nanoseconds) -> Nanoseconds? {
    restart(turn: turn, at: realTime)
    guard !isDue else { return nil }
    isDue = true
    return slice
  }

  /// There is nothing to watch any more.
  mutating func stop() { isDue = false }

  /// Looks at a turn that may go on for so long.
  mutating func look(
    turn: Int, at realTime: Nanoseconds, slice: Nanoseconds, patience: Nanoseconds
  ) -> Finding {
    isDue = false
    if self.turn == turn {
      elapsed += min(realTime - lastLook, 2 * slice)
      lastLook = realTime
    } else {
      restart(turn: turn, at: realTime)
    }
    guard elapsed < patience else { return .tooLong }
    isDue = true
    return .again(after: min(slice, patience - elapsed))
  }

  private mutating func restart(turn: Int, at realTime: Nanoseconds) {
    (self.turn, elapsed, lastLook) = (turn, 0, realTime)
  }
}
