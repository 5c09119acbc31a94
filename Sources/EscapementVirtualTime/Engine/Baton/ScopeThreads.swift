import CVirtualTime

/// The threads of a scope that wait, or go on without the baton.
struct ScopeThreads {
  /// The threads that have lost the baton, and have not asked for it since.
  var stragglers: [Straggler] = []
  /// Whether the scope waits because some of them run.
  var areStragglersAwaited = false
  /// Whether tasks on other threads are not waited for any more, since the body has ended.
  var areOthersIgnored = false
  /// How many threads wait in the scope's time.
  private(set) var parked = 0
  /// The actors on which they run tasks.
  private(set) var busyActors: [UnsafeRawPointer] = []

  /// The stragglers for which the scope waits.
  var awaitedStragglers: [Straggler] { areStragglersAwaited ? stragglers : [] }

  func isStraggler(_ thread: Int32) -> Bool { stragglers.contains { $0.thread == thread } }

  /// Whether any of so many tasks of a scope may run, which are enqueued elsewhere.
  ///
  /// Tasks in the mailbox of an actor cannot run while its thread waits in the scope's time.
  @inline(__always) func mayRun(_ count: Int32, of scope: UInt32) -> Bool {
    count > 0 && areNotAllKept(count, of: scope)
  }

  private func areNotAllKept(_ count: Int32, of scope: UInt32) -> Bool {
    let actors = busyActors + stragglers.compactMap(\.actor)
    return count > actors.reduce(0) { $0 + cvt_tasks_waiting_for($1, scope) }
  }

  /// A thread waits in the scope's time, while it runs a task on this actor.
  mutating func park(on actor: UnsafeRawPointer?) {
    if let actor { busyActors.append(actor) }
    parked += 1
  }

  /// Such a thread goes on.
  mutating func unpark(from actor: UnsafeRawPointer?) {
    parked -= 1
    if let actor, let index = busyActors.firstIndex(of: actor) { busyActors.remove(at: index) }
  }

  /// A straggler has been asked on which actor it runs a task.
  mutating func hasAsked(_ thread: Int32, _ actor: UnsafeRawPointer?) {
    guard let index = stragglers.firstIndex(where: { $0.thread == thread }) else { return }
    stragglers[index].wasAsked = true
    stragglers[index].actor = actor
  }

  /// Takes out a straggler, which asks for the baton.
  mutating func remove(_ thread: Int32) -> Straggler? {
    stragglers.firstIndex { $0.thread == thread }.map { stragglers.remove(at: $0) }
  }
}
