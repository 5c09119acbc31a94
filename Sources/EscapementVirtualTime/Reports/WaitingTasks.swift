import CVirtualTime

/// The tasks of a scope that wait, at one moment.
///
/// Used only by the thread that drains the scope, while the tasks are known to live.
struct WaitingTasks {
  /// The sleeps, in the order of their deadlines.
  let sleeps: [Sleep]
  /// The unstructured tasks without the body.
  let living: [UnsafeMutableRawPointer]
  /// The task that runs the body, unless it has ended.
  var body: UnsafeMutableRawPointer?
  /// The tasks that have opened holds.
  var holders: Set<UnsafeRawPointer> = []
  /// The tasks that keep actors busy while their threads wait, by the executors of the actors.
  var occupants: [UnsafeRawPointer: TaskDescription] = [:]
  /// Whether a task that another one waits for is of the scope.
  var isOwn: (UnsafeRawPointer) -> Bool = { _ in true }

  /// The wait of the body; `nil` if there is no body.
  var bodyWait: Leftover? {
    body.map { body in
      leftover(body, sleeps.first { $0.pointer == body }, isShown: true)
    }
  }

  /// First the tasks that the body waits for, directly or not, and those that have opened holds;
  /// then the others that wait for events, oldest first, each before its child tasks; then those
  /// that sleep, in the order of their deadlines.
  ///
  /// So periodic tasks do not hide one that is stuck, when only the first are shown. For the same
  /// reason, tasks of packages on which the user's depends come last of those that wait for events.
  var list: [Leftover] {
    var asleep: Set<UnsafeRawPointer> = []
    let sleeping = sleeps.filter { sleep in
      sleep.pointer.map { $0 != body && asleep.insert($0).inserted } ?? false
    }
    let waiting = tasksInOrder.filter { !asleep.contains($0) }
    let ordered =
      holders.isEmpty
      ? waiting : waiting.filter(isHolder) + waiting.filter { !isHolder($0) }
    return usersFirst(ordered).enumerated().map { leftover($1, isShown: $0 < shownItems) }
      + sleeping.enumerated().map { leftover($1.pointer!, $1, isShown: $0 < shownItems) }
  }

  /// How many tasks are asked whose they are, which takes a moment for each.
  private static let mostLookedAt = 200

  /// The same tasks, if all can be shown, or if the body has ended: then a list is rarely printed.
  private func usersFirst(_ tasks: [UnsafeRawPointer]) -> [UnsafeRawPointer] {
    guard body != nil, tasks.count > shownItems else { return tasks }
    let places = tasks.prefix(Self.mostLookedAt).map { WaitingPlace(of: $0) }
    WaitingPlace.learn(places.compactMap(\.self))
    let others = zip(tasks, places).filter { !isHolder($0) && $1?.isUsers == false }.map(\.0)
    let last = Set(others)
    return tasks.filter { !last.contains($0) } + others
  }

  private func isHolder(_ task: UnsafeRawPointer) -> Bool { holders.contains(task) }

  /// A task as it is shown, or only its number: there may be a million.
  private func leftover(
    _ task: UnsafeRawPointer, _ sleep: Sleep? = nil, isShown: Bool
  ) -> Leftover {
    guard isShown else {
      return Leftover(
        task: sleep?.task ?? TaskDescription(id: 0, name: nil), sleep: sleep,
        isOfHost: cvt_life_of(task) != 0)
    }
    let parent = cvt_parent_of(task).map { parent -> Leftover.Parent in
      body.map { parent == UnsafeRawPointer($0) } == true
        ? .body : .task(TaskDescription(of: parent))
    }
    // Its timers stand.
    let isSuspended = cvt_is_suspended(cvt_owner_of(cvt_task_id(task)), cvt_life_of(task))
    return Leftover(
      task: sleep?.task ?? TaskDescription(of: task), parent: parent,
      sleep: isSuspended ? nil : sleep,
      awaited: isSuspended
        ? .pausedHost : sleepsReally(task) ? .realSleep : Awaited(of: task),
      occupant: occupant(of: task),
      isInHold: isHolder(task), isOfHost: cvt_life_of(task) != 0,
      // Of a task that is not suspended, the place would be an old one.
      place: cvt_is_on_thread(task) ? nil : WaitingPlace(of: task))
  }

  /// The task that keeps the actor busy for which another one waits, if that is known.
  private func occupant(of task: UnsafeRawPointer) -> TaskDescription? {
    let dependency = cvt_dependency_of(task)
    guard !occupants.isEmpty, dependency.kind == cvt_waits_for_executor else { return nil }
    return dependency.object.flatMap { occupants[$0] }
  }

  /// Of so many tasks the child tasks are looked for, which takes some microseconds for each.
  private static let mostParents = 10_000

  /// All tasks but the body that can be found.
  private var tasksInOrder: [UnsafeRawPointer] {
    let root = body.map { UnsafeRawPointer($0) }
    var order = root.map { [$0] } ?? []
    var seen = Set(order)
    func add(_ tasks: some Sequence<UnsafeRawPointer>) {
      for task in tasks where seen.insert(task).inserted { order.append(task) }
    }
    var next = 0
    while next < order.count {
      add(tasks(awaitedBy: order[next]).filter(isOwn))
      next += 1
    }
    add(living.lazy.map { UnsafeRawPointer($0) })
    next = 0
    while next < min(order.count, Self.mostParents) {
      add(childTasks(of: order[next]))
      next += 1
    }
    return root == nil ? order : Array(order.dropFirst())
  }
}
