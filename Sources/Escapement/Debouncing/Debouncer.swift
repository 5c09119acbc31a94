import EscapementClocks
import _EscapementCore

/// Runs an action when no other action has come for a while.
///
/// ```swift
/// let debouncer = Debouncer(delay: .milliseconds(300))
/// func textDidChange() { debouncer.execute { self.search() } }
/// ```
///
/// Actions that follow each other within the delay form a burst. By default only the last action of
/// a burst runs, one delay after it came.
///
/// - An action runs on the actor on which its closure was written.
/// - An action that comes exactly one delay after the previous one belongs to the next burst.
/// - A debouncer that is released drops its kept action. To run it, call `flush()` before.
///
/// A burst needs one task, however many actions it has.
public final class Debouncer: Sendable {
  /// Which actions of a burst run.
  public struct Edges: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The first action runs at once.
    public static let leading = Edges(rawValue: 1)

    /// The last action runs when the burst is over.
    ///
    /// If a burst has one action, it runs only once.
    public static let trailing = Edges(rawValue: 2)
  }

  private let core: DebouncerCore

  /// Creates a debouncer.
  ///
  /// The initializer reports an issue for each invalid argument, and replaces its value: a negative
  /// delay by zero, a maximum wait that is shorter than the delay by the delay, and an empty set of
  /// edges by the trailing edge.
  ///
  /// - `delay`: The time without an action that ends a burst.
  /// - `maximumWait`: The longest time for which an action is kept while others keep coming. With
  ///   only the leading edge no action is kept. Then it is the longest time for which actions are
  ///   dropped: the next one is the first of another burst, and runs at once.
  /// - `edges`: Which actions of a burst run.
  /// - `clock`: The clock that measures the delay.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init<C: Clock<Duration>>(
    delay: Duration,
    maximumWait: Duration? = nil,
    edges: Edges = .trailing,
    clock: C = ContinuousClock(),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let callSite = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    if delay < .zero {
      callSite.report(
        InvalidArgumentError("delay", delay, mustBe: "zero or positive"),
        consequence: "This debouncer uses zero.")
    }
    let delay = min(max(delay, .zero), .horizon)
    if let maximumWait, maximumWait < delay {
      callSite.report(
        InvalidArgumentError("maximumWait", maximumWait, mustBe: "at least the delay, \(delay)"),
        consequence: "This debouncer uses the delay.")
    }
    if edges.isEmpty {
      callSite.report(
        InvalidArgumentError("edges", "empty", mustBe: "leading, trailing, or both"),
        consequence: "This debouncer uses the trailing edge.")
    }
    core = DebouncerCore(
      machine: DebouncerStateMachine(
        delay: delay,
        maximumWait: maximumWait.map { min(max($0, delay), .horizon) },
        edges: edges.isEmpty ? .trailing : edges),
      clock: AnyClock(clock))
  }

  deinit {
    core.cancel()
  }

  /// Adds an action to the burst, or begins a burst with it.
  ///
  /// The edges decide when it runs.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller. Omit this argument.
  ///   - action: The action. It runs on the actor on which its closure was written.
  public func execute(
    isolation: isolated (any Actor)? = #isolation,
    @_inheritActorContext _ action: @escaping @Sendable @isolated(any) () -> Void
  ) {
    core.execute(Action(action), from: isolation)
  }

  /// Runs the kept action now.
  ///
  /// Without a kept action it does nothing.
  ///
  /// - Parameter isolation: The actor of the caller. Omit this argument.
  public func flush(isolation: isolated (any Actor)? = #isolation) {
    core.flush(from: isolation)
  }

  /// Drops the kept action and ends the burst.
  ///
  /// If `cancel()` is called on the actor of the action, the action does not run after the call.
  public func cancel() {
    core.cancel()
  }
}

/// The part of a debouncer that its sleeping task retains, so that the task does not retain the
/// debouncer.
private final class DebouncerCore: Sendable {
  private let clock: AnyClock<Duration>
  private let started = ActionQueue()
  private let state: Lock<(machine: DebouncerStateMachine<Action>, sleeper: Task<Void, Never>?)>

  init(machine: sending DebouncerStateMachine<Action>, clock: AnyClock<Duration>) {
    self.clock = clock
    state = Lock((machine, nil))
  }

  func execute(_ action: Action, from isolation: isolated (any Actor)?) {
    let now = clock.now.offset
    let execution = state.withLock { $0.machine.execute(action, now: now) }
    if let burst = execution.begun { beginSleeping(burst.id, until: burst.dueAt) }
    if let overdue = execution.overdue { started.start(overdue, from: isolation) }
    if let leading = execution.leading { started.start(leading, from: isolation) }
  }

  func flush(from isolation: isolated (any Actor)?) {
    let now = clock.now.offset
    if let kept = state.withLock({ $0.machine.flush(now: now) }) {
      started.start(kept, from: isolation)
    }
    cancelSleeperIfIdle()
  }

  func cancel() {
    state.withLock { $0.machine.cancel() }
    cancelSleeperIfIdle()
  }

  private func beginSleeping(_ id: Int, until dueAt: Duration) {
    let sleeper = Task(name: "Debouncer") { await sleep(id, until: dueAt) }
    let isNeeded = state.withLock { state in
      guard state.machine.needsSleeper(id) else { return false }
      state.sleeper = sleeper
      return true
    }
    if !isNeeded { sleeper.cancel() }
  }

  private func cancelSleeperIfIdle() {
    state.withLock { state in
      state.machine.isIdle ? state.sleeper.take() : nil
    }?.cancel()
  }

  private func sleep(_ id: Int, until firstDueAt: Duration) async {
    var dueAt = firstDueAt
    while (try? await clock.sleep(until: .init(offset: dueAt))) != nil {
      wake: while true {
        let now = clock.now.offset
        switch state.withLock({ $0.machine.wake(id, now: now) }) {
        case .sleep(let next):
          dueAt = next
          break wake
        case .run(let action):
          await runDue(id, on: action.isolation)
        case .end:
          return
        }
      }
    }
  }

  private func runDue(_ id: Int, on isolation: isolated (any Actor)?) {
    let now = clock.now.offset
    state.withLock {
      $0.machine.takeDue(id, now: now) { $0.canRun(on: isolation) }
    }?.run(on: isolation)
  }
}
