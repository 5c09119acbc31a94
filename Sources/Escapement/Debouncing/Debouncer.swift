import EscapementClocks
import _EscapementCore

/// Runs an action once no other has come for a while.
///
/// ```swift
/// let debouncer = Debouncer(delay: .milliseconds(300))
/// func textDidChange() { debouncer.execute { self.search() } }
/// ```
///
/// Actions that follow each other within the delay form a burst. By default only the last action of
/// a burst runs, when the delay has passed after it.
///
/// - An action runs on the actor that its closure was written on.
/// - An action that comes when the delay has passed, to the nanosecond, belongs to the next burst.
/// - A debouncer that is released drops the action it keeps; call `flush()` before if it matters.
///
/// A burst costs one task, however many actions it has.
public final class Debouncer: Sendable {
  /// Which actions of a burst run.
  public struct Edges: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The first action runs at once.
    public static let leading = Edges(rawValue: 1)

    /// The last action runs when the burst is over; if it is the first too, it runs only once.
    public static let trailing = Edges(rawValue: 2)
  }

  private let core: DebouncerCore

  /// Creates a debouncer.
  ///
  /// A negative delay, a maximum wait that is shorter than the delay, and an empty set of edges are
  /// reported as issues; then the delay is zero, the maximum wait is the delay, and the edge is the
  /// trailing one.
  ///
  /// - Parameters:
  ///   - delay: For how long nothing must have come.
  ///   - maximumWait: How long an action is kept at most while others keep coming.
  ///   - edges: Which actions of a burst run.
  ///   - clock: The clock that measures the delay.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's path.
  ///   - line: The caller's line, where an issue is reported.
  ///   - column: The caller's column.
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

  /// Takes an action, which runs at once, later, or not at all, as the edges have it.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller; leave it out.
  ///   - action: What is to be done; it runs on the actor that it was written on.
  public func execute(
    isolation: isolated (any Actor)? = #isolation,
    @_inheritActorContext _ action: @escaping @Sendable @isolated(any) () -> Void
  ) {
    core.execute(Action(action), from: isolation)
  }

  /// Runs the kept action now; does nothing if none is kept.
  ///
  /// - Parameter isolation: The actor of the caller; leave it out.
  public func flush(isolation: isolated (any Actor)? = #isolation) {
    core.flush(from: isolation)
  }

  /// Drops the kept action and ends the burst.
  ///
  /// When it has been called on the actor that the action runs on, the action does not run any more.
  public func cancel() {
    core.cancel()
  }
}

/// What the sleeper of a burst holds on to, so that it does not keep the debouncer alive.
private final class DebouncerCore: Sendable {
  private let clock: AnyClock<Duration>
  private let state: Lock<(machine: DebouncerStateMachine<Action>, sleeper: Task<Void, Never>?)>

  init(machine: sending DebouncerStateMachine<Action>, clock: AnyClock<Duration>) {
    self.clock = clock
    state = Lock((machine, nil))
  }

  func execute(_ action: Action, from isolation: isolated (any Actor)?) {
    let now = clock.now.offset
    let execution = state.withLock { $0.machine.execute(action, now: now) }
    if let burst = execution.begun { beginSleeping(burst.id, until: burst.dueAt) }
    execution.overdue?.start(from: isolation) {}
    execution.leading?.start(from: isolation) {}
  }

  func flush(from isolation: isolated (any Actor)?) {
    let now = clock.now.offset
    state.withLock { $0.machine.flush(now: now) }?.start(from: isolation) {}
    endSleepingInVain()
  }

  func cancel() {
    state.withLock { $0.machine.cancel() }
    endSleepingInVain()
  }

  private func beginSleeping(_ id: Int, until dueAt: Duration) {
    let sleeper = Task(name: "Debouncer") { await sleep(id, until: dueAt) }
    let isInVain = state.withLock { state in
      guard state.machine.needsSleeper(id) else { return true }
      state.sleeper = sleeper
      return false
    }
    if isInVain { sleeper.cancel() }
  }

  private func endSleepingInVain() {
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
