import _EscapementCore

extension TestClock {
  /// Advances until nobody sleeps any more.
  ///
  /// Time visits every deadline, and ends at the last one. Sleeps that begin meanwhile count too.
  /// Code that never stops sleeping, such as a timer nobody has stopped, is told by a bound, and
  /// fails the test at the place of the call; the sleeps that are left then throw
  /// `CancellationError`, so that the tasks can end.
  ///
  /// Inside a virtual-time scope the bound is a million sleeps, whatever `timeout` says, so that
  /// the result does not depend on the speed of the machine. Outside it is `timeout`, in real time.
  public func run(
    timeout duration: Swift.Duration = .milliseconds(500),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let bound: RunBound =
      SettlingScope.current == nil ? .realTime(duration, since: .now) : .sleeps(1_000_000)
    let progress = Lock((woken: 0, isOver: false))
    await settling.repeatWhenIdle {
      let isOver = progress.withLock { progress in
        progress.isOver = bound.isExceeded(afterWaking: progress.woken)
        progress.woken += 1
        return progress.isOver
      }
      return !isOver && self.wakeNext()
    }
    guard progress.withLock({ $0.isOver }) else { return }
    let sleepers = sleepers
    guard !sleepers.isEmpty else { return }
    SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column).reportIssue(
      """
      Expected all sleeps to finish, but \(sleepers.count) still suspend after \(bound): \
      \(list(of: sleepers)).

      This could mean that your feature sleeps in a loop or has a timer that was not stopped, or \
      that there is a bug in its logic.

      Stop what repeats before you call 'run', or use 'advance(by:)' to go as far as the test \
      needs. \(bound.remedy)
      """)
    for sleeper in state.withLock({ $0.removeAllSleeps() }) {
      sleeper.continuation?.resume(throwing: CancellationError())
    }
  }

  /// Goes to the next deadline and wakes one who sleeps until then, if there is one.
  private func wakeNext() -> Bool {
    guard let next = nextDeadline else { return false }
    return step(to: next)
  }
}

/// How long `run` goes on when there is always somebody who sleeps.
private enum RunBound: CustomStringConvertible {
  case realTime(Duration, since: ContinuousClock.Instant)
  case sleeps(Int)

  func isExceeded(afterWaking count: Int) -> Bool {
    switch self {
    case .realTime(let duration, let start): start.duration(to: .now) > duration
    case .sleeps(let limit): count >= limit
    }
  }

  var description: String {
    switch self {
    case .realTime(let duration, _): "\(duration)"
    case .sleeps(let limit): "\(limit) sleeps"
    }
  }

  var remedy: String {
    switch self {
    case .realTime(let duration, _):
      "You can also increase the timeout of 'run' to be greater than \(duration)."
    case .sleeps: ""
    }
  }
}
