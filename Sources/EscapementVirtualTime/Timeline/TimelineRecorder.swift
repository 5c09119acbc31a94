import CReach
import CVirtualTime
import IssueReporting
import _EscapementCore

/// Records what happens in a scope.
///
/// It only appends. What is shown later, such as the lines of places, is looked up when a
/// ``Timeline`` is written.
package final class TimelineRecorder: Sendable {
  private struct State {
    var events: [TimelineEvent] = []
    /// How many of the oldest events were dropped.
    var dropped = 0
    var names: [UInt64: String] = [:]
    var places: [WaitingPlace] = []
    private var placeIndexes: [WaitingPlace: UInt32] = [:]
    /// The places where tasks begin.
    var origins: [UInt64: UInt32] = [:]
    var failures: [TimelineFailure] = []
    var actors = NumberedActors()
    var hosts = TimelineHosts()
    var body: UInt64 = 0
    /// The task whose sleep has ended, until it can run.
    var waking: UInt64 = 0

    /// The index of a place, from 1.
    mutating func index(of place: WaitingPlace) -> UInt32 {
      if let index = placeIndexes[place] { return index }
      places.append(place)
      placeIndexes[place] = UInt32(places.count)
      return UInt32(places.count)
    }
  }

  /// After so many events, the oldest half is dropped.
  static let capacity = 1 << 20
  /// How many places are kept: to find the line of each takes time.
  static let placeLimit = 1_000

  private let state = Lock(State())

  package init() {}

  /// The timeline up to now.
  package var timeline: Timeline {
    state.withLock { state in
      Timeline(
        events: state.events, dropped: state.dropped,
        names: state.names, actors: state.actors.types, places: state.places,
        failures: state.failures, origins: TaskOrigins(state.origins, in: state.places),
        hosts: state.hosts, body: state.body)
    }
  }

  private func add(
    _ kind: TimelineEvent.Kind, _ task: UInt64, _ other: UInt64 = 0, at now: Nanoseconds,
    name: String? = nil, place: WaitingPlace? = nil
  ) {
    state.withLock { state in
      let index = place.map { state.index(of: $0) } ?? 0
      if index > 0, state.origins[task] == nil { state.origins[task] = index }
      if let name { state.names[task] = name }
      state.events.append(
        TimelineEvent(instant: now, task: task, other: other, kind: kind, place: index))
      if state.events.count >= Self.capacity {
        let oldest = Self.capacity / 2
        state.hosts.drop(state.events.prefix(oldest).count { $0.kind == .ofHost })
        state.events.removeFirst(oldest)
        state.dropped += oldest
      }
    }
  }

  // MARK: Events

  /// The scope reports a failure; the steps that follow may be the consequences.
  func reports(_ problem: Problem, at now: Nanoseconds) {
    guard problem.severity == .error else { return }
    let failure = TimelineFailure { problem.message(.completedAfterLimit) }
    add(.reported, 0, number(of: failure), at: now)
  }

  /// The code of the scope fails, or the code around it.
  package func fails(_ failure: TimelineFailure) {
    if let scope = Scope.current, scope.recorder === self {
      return add(.failed, currentTask, number(of: failure), at: scope.now)
    }
    // After the end, a test framework hears of the failures that are steps already.
    guard state.withLock({ $0.failures.isEmpty }) else { return }
    let last = state.withLock { $0.events.last?.instant ?? 0 }
    add(.failed, 0, number(of: failure), at: last)
  }

  private func number(of failure: TimelineFailure) -> UInt64 {
    state.withLock { state in
      state.failures.append(failure)
      return UInt64(state.failures.count - 1)
    }
  }

  /// A job is about to run.
  func runs(_ job: ReadyJob, at now: Nanoseconds) {
    switch job.kind {
    case .task,
      .mainActor where cvt_is_task(job.pointer):
      ran(job.pointer, onMain: job.kind == .mainActor, at: now)
    default: break
    }
  }

  func created(_ task: UnsafeRawPointer, isBody: Bool, at now: Nanoseconds) {
    let number = cvt_task_id(task)
    if isBody { state.withLock { $0.body = number } }
    let life = cvt_life_of(task)
    if life != 0 { state.withLock { $0.hosts.add(number, of: life) } }
    add(.created, number, currentTask, at: now)
  }

  /// A task can run again, or for the first time; called before it runs.
  func ready(_ task: UnsafeRawPointer, at now: Nanoseconds) {
    let number = cvt_task_id(task)
    let (wantsPlace, wakes) = state.withLock { state in
      defer { state.waking = 0 }
      return (state.places.count < Self.placeLimit, state.waking == number)
    }
    // A task of the runtime's own ends each sleep of a standard clock.
    add(
      .ready, number, wakes ? 0 : currentTask, at: now,
      place: wantsPlace ? WaitingPlace(of: task) : nil)
  }

  /// A task runs, on the main actor, or on no actor that is known.
  private func ran(_ task: UnsafeRawPointer, onMain: Bool, at now: Nanoseconds) {
    add(
      .ran, cvt_task_id(task), onMain ? TimelineEvent.Actor.main : TimelineEvent.Actor.none, at: now
    )
  }

  /// A task runs in the work of an actor.
  func ranInActor(_ task: UnsafeRawPointer, at now: Nanoseconds) {
    let number = cvt_task_id(task)
    let current = cvt_current_actor()
    let actor: UInt64? = state.withLock { state in
      // A task that goes to another actor at once still runs.
      if let last = state.events.last, last.kind == .ran, last.task == number { return nil }
      return current.map { state.actors.number(of: $0) } ?? TimelineEvent.Actor.none
    }
    if let actor { add(.ran, number, actor, at: now) }
  }

  /// The current task sleeps.
  func slept(
    _ task: UnsafeRawPointer, until deadline: Nanoseconds, name: String?, at now: Nanoseconds
  ) {
    add(.slept, cvt_task_id(task), UInt64(max(0, deadline)), at: now, name: name)
  }

  func woke(_ task: UnsafeRawPointer?, at now: Nanoseconds) {
    let number = number(task)
    state.withLock { $0.waking = number }
    add(.woke, number, at: now)
  }

  func sleepCancelled(_ task: UnsafeRawPointer?, at now: Nanoseconds) {
    add(.sleepCancelled, number(task), currentTask, at: now)
  }

  /// Something happens to a host of a simulated network.
  func happened(_ event: rch_host_event, at now: Nanoseconds) {
    let number = state.withLock { $0.hosts.add(event) }
    add(.ofHost, 0, UInt64(number), at: now)
  }

  /// The current task does something that concerns the whole scope.
  func current(_ kind: TimelineEvent.Kind, at now: Nanoseconds) { add(kind, currentTask, at: now) }

  private func number(_ task: UnsafeRawPointer?) -> UInt64 { task.map { cvt_task_id($0) } ?? 0 }

  private var currentTask: UInt64 { number(cvt_current_task().map { UnsafeRawPointer($0) }) }
}

/// Numbers actors in the order in which they first run.
private struct NumberedActors {
  private struct Identity: Hashable {
    let address: UnsafeRawPointer
    /// Another actor may come to be at the address of one that was released.
    let type: ObjectIdentifier
  }

  private var numbers: [Identity: UInt64] = [:]
  /// The types of the actors, whose names are looked up when they are shown.
  private(set) var types: [any AnyObject.Type] = []

  /// - Parameter actor: An actor that runs, and is alive therefore.
  mutating func number(of actor: UnsafeRawPointer) -> UInt64 {
    let type: any AnyObject.Type = Unmanaged<AnyObject>.fromOpaque(actor)
      ._withUnsafeGuaranteedRef { Swift.type(of: $0) }
    let identity = Identity(address: actor, type: ObjectIdentifier(type))
    if let number = numbers[identity] { return number }
    types.append(type)
    let number = TimelineEvent.Actor.main + UInt64(types.count)
    numbers[identity] = number
    return number
  }
}
