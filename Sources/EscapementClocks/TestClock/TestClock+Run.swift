import _EscapementCore

extension TestClock {
  /// Advances the clock until no task sleeps on it.
  ///
  /// Time stops at every deadline on the way, and ends at the last one. Sleeps that begin in the
  /// meantime count too.
  ///
  /// The function gives up when the code under test seems to sleep for ever, as a timer does that
  /// is not stopped. Then it fails the test at the line of the call, and the remaining sleeps throw
  /// `CancellationError`, so that their tasks can end. Outside of virtual-time scopes it gives up
  /// after `timeout`, in real time. Inside a scope it gives up after a million sleeps and ignores
  /// `timeout`, so that the result does not depend on the speed of the machine.
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
      Expected all sleeps to end. Number of tasks that still sleep after \(bound): \(sleepers.count)
      \(list(of: sleepers))

      The code under test may sleep in a loop, or may not have stopped a timer.

      Stop what repeats before you call 'run', or call 'advance(by:)' with the time that the test \
      needs. \(bound.remedy)
      """)
    for sleeper in state.withLock({ $0.removeAllSleeps() }) {
      sleeper.continuation?.resume(throwing: CancellationError())
    }
  }

  /// Moves time to the next deadline and wakes one task that sleeps until then, if there is one.
  private func wakeNext() -> Bool {
    guard let next = nextDeadline else { return false }
    return step(to: next)
  }
}

/// How long `run` goes on while tasks keep sleeping.
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
      "You can also pass a 'timeout' that is longer than \(duration)."
    case .sleeps: ""
    }
  }
}
