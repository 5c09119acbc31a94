import _EscapementCore

/// Runs actions in the order in which they are started, also those that have to hop to their actor.
final class ActionQueue: Sendable {
  private struct Start: Sendable {
    let action: Action
    let completion: @Sendable () -> Void
  }

  private let state = Lock(ActionQueueStateMachine<Start>())

  /// Runs an action now if the caller is on its actor and no other one waits, and otherwise after
  /// the others, as soon as its actor is free.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - isolation: The actor of the caller.
  ///   - completion: Called after the action has run.
  func start(
    _ action: Action, from isolation: isolated (any Actor)?,
    then completion: @escaping @Sendable () -> Void = {}
  ) {
    let start = Start(action: action, completion: completion)
    switch state.withLock({ $0.start(start, canRunNow: action.canRun(on: isolation)) }) {
    case .runNow:
      action.run(on: isolation)
      completion()
    case .runInTask:
      Task { await runAll() }
    case .wait:
      break
    }
  }

  private func runAll() async {
    while let start = state.withLock({ $0.next() }) {
      await start.action()
      start.completion()
    }
  }
}

/// The decisions of a queue of actions.
struct ActionQueueStateMachine<Start> {
  enum Effect {
    /// The caller runs it.
    case runNow
    /// A new task runs it, and all that follow until none is left.
    case runInTask
    /// The task runs it that runs those before.
    case wait
  }

  private var waiting = FIFO<Start>()
  private var hasTask = false

  mutating func start(_ start: Start, canRunNow: Bool) -> Effect {
    if canRunNow, !hasTask { return .runNow }
    _ = waiting.append(start)
    defer { hasTask = true }
    return hasTask ? .wait : .runInTask
  }

  /// Takes out the next one; `nil` if none is left, and the task ends.
  mutating func next() -> Start? {
    guard let next = waiting.first else {
      hasTask = false
      return nil
    }
    waiting.removeFirst()
    return next
  }
}
