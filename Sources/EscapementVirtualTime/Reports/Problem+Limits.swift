import IssueReporting

extension Problem {
  /// - Parameter limit: How long the scope has waited in real time; `nil` if it does not wait.
  static func stuck(_ situation: Situation, after limit: Duration?) -> Problem {
    let waited =
      limit.map {
        "Nothing outside the scope has resumed a task of the scope within \($0) of real time."
      } ?? "Nothing outside the scope resumes a task of the scope."
    return Problem(severity: .error) { body in
      """
      The virtual-time scope is stuck at +\(situation.now.duration): its body is waiting, no task of \
      the scope can run, and time is not going to move. \(waited)

      \(situation.waits)

      \(situation.sleepsUntilMoved)\(situation.network)The body may be waiting for a continuation \
      that is never resumed, a stream that is never finished, or a test clock that is never advanced. \
      Find the code that should have resumed the body.

      The body may also be waiting for slow work outside the scope: a callback on another thread, a \
      dispatch queue, or I/O. Wrap that work in 'hold { }' of the scope's handle, or raise \
      'stallLimit'.

      \(body.outcome)
      """
    }
  }

  static func deadlocked(_ deadlock: Deadlock, at now: Nanoseconds) -> Problem {
    Problem(severity: .error) { body in
      """
      The virtual-time scope is deadlocked at +\(now.duration): the body waits for tasks that wait for \
      each other, so that none of them ever ends.

      \(deadlock)

      Let one of these tasks end without the value of the other one. Cancellation does not help: a \
      task that waits for the value of another one goes on waiting.

      \(body.outcome)
      """
    }
  }

  static func waitedElsewhere(_ situation: Situation, after limit: Duration) -> Problem {
    Problem(severity: .error) { body in
      """
      The virtual-time scope is stuck at +\(situation.now.duration): for more than \(limit) of real \
      time a task of it has waited for an actor that runs elsewhere, or has run there.

      \(situation.waits)

      The actor may be busy with other work, or have an executor that does not run it. If that \
      work really takes so long, raise 'holdLimit'.

      \(body.outcome)
      """
    }
  }

  static func heldForTooLong(_ situation: Situation, after limit: Duration) -> Problem {
    Problem(severity: .error) { body in
      """
      The virtual-time scope is held at +\(situation.now.duration) for more than \(limit) of real \
      time: a 'hold { }' has not ended.

      \(situation.waits)

      \(situation.sleepsInHolds)\(situation.network)The work inside the hold may wait for a callback that is never called. Or it \
      takes longer than 'holdLimit' allows. Make sure that each callback is called, or raise \
      'holdLimit'.

      \(body.outcome)
      """
    }
  }

  /// - Parameters:
  ///   - openers: The tasks that had open holds, one for each hold.
  ///   - body: The number of the body's task, if the body has not ended.
  static func tooManyHolds(
    by openers: [TaskDescription], at now: Nanoseconds, of options: VirtualTimeOptions,
    body: UInt64?
  ) -> Problem {
    let holds = Dictionary(openers.map { ($0, 1) }, uniquingKeysWith: +)
      .sorted { $0.key.id < $1.key.id }
      .map { "\($0.id == body ? "the body" : "\($0)"): \($1)" }
    return Problem(severity: .error) { body in
      """
      The virtual-time scope is held at +\(now.duration) by too many holds: \(openers.count) were open \
      at one time, and 'openHoldLimit' is \(options.openHoldLimit ?? 0).

      These tasks had open holds:
      \(bullets(holds))

      A hold may be nested in another one, or tasks may do real work side by side. Let one hold end \
      before the next one is opened, stub the work, or raise 'openHoldLimit'.

      \(body.outcome)
      """
    }
  }

  static func sleptReally(_ situation: Situation, after limit: Duration) -> Problem {
    Problem(severity: .error) { body in
      """
      The virtual-time scope has slept at +\(situation.now.duration) for more than \(limit) of real \
      time: with the option 'standardClocks: .real', a sleep of a standard clock takes real time.

      \(situation.waits)

      \(situation.network)A task may poll: it sleeps in a loop until something happens that never \
      happens. Find the code that should have brought it about. If the test really has to wait for so \
      long, raise 'holdLimit'.

      \(body.outcome)
      """
    }
  }

  /// - Parameters:
  ///   - place: Where the thread is, if that is known.
  ///   - body: The number of the body's task, if the body has not ended.
  static func blocked(
    _ place: RunningPlace?, at now: Nanoseconds, after limit: Duration, body: UInt64?
  ) -> Problem {
    // The place is unknown if the thread has not answered.
    let task = place?.subject(body: body) ?? "A task"
    let actor = place?.actor.map { " on \($0)" } ?? ""
    return Problem(severity: .error) { body in
      """
      The virtual-time scope is blocked at +\(now.duration): one of its tasks has kept its thread for \
      more than \(limit) of real time, and no other task of the scope can run meanwhile.

      \(task) \(place?.isWaiting == true ? "blocks its thread" : "runs without suspending")\(actor)\
      \(place?.description ?? "").

      \(place?.isWaiting == true ? waitsForThreads : runsForEver) If the work really takes so long, \
      raise 'blockLimit'.

      \(body == .completed ? "The task has been cancelled." : body.outcome)
      """
    }
  }

  private static let waitsForThreads = """
    It waits for a semaphore, a lock, a dispatch queue, or synchronous I/O. The code that would end \
    this wait may belong to the same scope, which runs one task at a time. Suspend the task instead, \
    with 'await' and a continuation or a stream.
    """

  private static let runsForEver = """
    A loop may never end, or a 'for await' loop may read an endless sequence that always has the next \
    element. A loop that waits until other code of the scope sets a flag never ends, because nothing else \
    runs meanwhile. Let the loop sleep, and let it end when its task is cancelled.
    """

  static func endlessJobs(
    at now: Nanoseconds, count: Int, _ witnesses: [String]
  ) -> Problem {
    Problem(severity: .error) { body in
      """
      The virtual-time scope is endless: \(count) jobs have run at +\(now.duration) without a \
      pause, and time only moves when no job can run.

      \(witnesses.isEmpty ? "The last jobs have made no other job ready." : "The last jobs belong to:\n\(bullets(witnesses))")

      There may be a loop that yields and never sleeps, a task that always starts another one, a \
      'for await' loop over an endless sequence, an actor whose work always adds more work, or a loop that ignores the error of a cancelled \
      sleep, as 'try? await Task.sleep' does. Let the loop sleep, and let it end when it is cancelled. \
      If the test really does so much work at one instant, raise 'jobLimit'. Work that goes on until some time \
      has passed, as in a load test, never ends, since code takes no virtual time: run it outside the scope.

      \(body.outcome)
      """
    }
  }

  /// - Parameter last: The tasks that were started last.
  static func tooManyTasks(
    at now: Nanoseconds, count: Int, last: [Patience.Witness]
  ) -> Problem {
    Problem(severity: .error) { body in
      """
      The virtual-time scope is endless: at +\(now.duration), \(count) of its tasks have not ended.

      The last ones that were started are:
      \(bullets(last))

      There may be a task that always starts others, or a repeating timer that starts tasks which do \
      not end. Let the tasks end. If the test really has so many tasks at one time, raise \
      'eventLimit'.

      \(body.outcome)
      """
    }
  }

  static func tooManyThreads(_ situation: Situation, count: Int) -> Problem {
    Problem(severity: .error) { body in
      """
      The virtual-time scope is endless: at +\(situation.now.duration), \(count) of its threads wait.

      \(situation.waits)

      There may be a thread that always starts others, or blocks of concurrent queues that wait. Let the threads \
      end, or let tasks wait instead, with 'await'.

      \(body.outcome)
      """
    }
  }

  static func endlessEvents(_ situation: Situation, count: Int) -> Problem {
    Problem(severity: .error) { body in
      """
      The virtual-time scope is endless: \(count) deadlines have passed, up to \
      +\(situation.now.duration), and its body has not ended.

      \(situation.waits)

      \(situation.network)The body may poll: it sleeps in a loop until something happens that never happens. Or a \
      repeating timer keeps time moving while the body waits for such an event. Find the code that \
      should have brought about the event. If the simulation is really that long, raise 'eventLimit'.

      \(body.outcome)
      """
    }
  }
}
