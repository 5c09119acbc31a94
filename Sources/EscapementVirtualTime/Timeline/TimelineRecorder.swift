import CVirtualTime
import _EscapementCore

/// Records what happens in a scope.
///
/// It only appends. What is shown later, such as the lines of places, is looked up when a ``Timeline`` is written.
package final class TimelineRecorder: Sendable {
  private struct State {
    var events: [TimelineEvent] = []
    /// How many of the oldest events were dropped.
    var dropped = 0
    var names: [UInt64: String] = [:]
    var places: [WaitingPlace] = []
    /// The numbers of actors, by their address.
    var actors: [UInt: UInt64] = [:]
    /// The actor whose work runs.
    var actor = TimelineEvent.Actor.none
    var body: UInt64 = 0
    /// The task whose sleep has ended, until it can run.
    var waking: UInt64 = 0
  }

  /// After so many events, the oldest half is dropped.
  static let capacity = 1 << 20
  /// For how many waits the place is recorded: it takes longer than the event.
  static let placeLimit = 1_000

  private let state = Lock(State())

  package init() {}

  /// What has been recorded up to now.
  package var timeline: Timeline {
    state.withLock { state in
      Timeline(
        events: state.events, dropped: state.dropped, names: state.names, places: state.places,
        body: state.body)
    }
  }

  private func add(
    _ kind: TimelineEvent.Kind, _ task: UInt64, _ other: UInt64 = 0, at now: Nanoseconds,
    name: String? = nil, place: WaitingPlace? = nil
  ) {
    state.withLock { state in
      var index: UInt32 = 0
      if let place {
        state.places.append(place)
        index = UInt32(state.places.count)
      }
      if let name { state.names[task] = name }
      state.events.append(
        TimelineEvent(instant: now, task: task, other: other, kind: kind, place: index))
      if state.events.count >= Self.capacity {
        state.events.removeFirst(Self.capacity / 2)
        state.dropped += Self.capacity / 2
      }
    }
  }

  // MARK: Events

  /// A job is about to run.
  func runs(_ job: ReadyJob, at now: Nanoseconds) {
    state.withLock { $0.actor = TimelineEvent.Actor.none }
    switch job.kind {
    case .task,
      .mainActor where cvt_is_task(job.pointer):
      ran(job.pointer, onMain: job.kind == .mainActor, at: now)
    case .actor: actorRuns(job.pointer)
    default: break
    }
  }

  func created(_ task: UnsafeRawPointer, isBody: Bool, at now: Nanoseconds) {
    let number = cvt_task_id(task)
    if isBody { state.withLock { $0.body = number } }
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

  /// An actor begins with the work in its mailbox.
  private func actorRuns(_ actor: UnsafeRawPointer) {
    state.withLock { state in
      let next = UInt64(state.actors.count) + 2
      let number = state.actors[UInt(bitPattern: actor)] ?? next
      state.actors[UInt(bitPattern: actor)] = number
      state.actor = number
    }
  }

  /// A task runs in the work of the actor.
  func ranInActor(_ task: UnsafeRawPointer, at now: Nanoseconds) {
    let number = cvt_task_id(task)
    let (actor, runs) = state.withLock { state in
      (state.actor, state.events.last.map { $0.kind == .ran && $0.task == number } ?? false)
    }
    // A task that goes to another actor at once still runs.
    if !runs { add(.ran, number, actor, at: now) }
  }

  /// The current task sleeps.
  func slept(
    _ task: UnsafeRawPointer?, until deadline: Nanoseconds, name: String?, at now: Nanoseconds
  ) {
    add(.slept, number(task), UInt64(max(0, deadline)), at: now, name: name)
  }

  func woke(_ task: UnsafeRawPointer?, at now: Nanoseconds) {
    let number = number(task)
    state.withLock { $0.waking = number }
    add(.woke, number, at: now)
  }

  func sleepCancelled(_ task: UnsafeRawPointer?, at now: Nanoseconds) {
    add(.sleepCancelled, number(task), currentTask, at: now)
  }

  /// The current task does something that concerns the whole scope.
  func current(_ kind: TimelineEvent.Kind, at now: Nanoseconds) { add(kind, currentTask, at: now) }

  private func number(_ task: UnsafeRawPointer?) -> UInt64 { task.map { cvt_task_id($0) } ?? 0 }

  private var currentTask: UInt64 { number(cvt_current_task().map { UnsafeRawPointer($0) }) }
}
