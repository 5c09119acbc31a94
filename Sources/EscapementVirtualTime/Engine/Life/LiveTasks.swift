import CVirtualTime

/// The unstructured tasks of a scope, so that those left over at the end can be cancelled.
///
/// The runtime does not tell when a task completes. That is looked at when a job of it has run, and
/// for all whenever their number has doubled. A task whose host has crashed counts as one that has
/// completed.
struct LiveTasks {
  private let hasCompleted: (UnsafeMutableRawPointer) -> Bool
  /// Each is retained once.
  private var tasks: Set<UnsafeMutableRawPointer> = []
  private var nextSweep: Int
  /// The number of tasks that is too many.
  private let limit: Int

  init(
    limit: Int = .max,
    hasCompleted: @escaping (UnsafeMutableRawPointer) -> Bool = {
      cvt_has_completed($0) || cvt_state_of_task($0) == cvt_life_has_ended
    }
  ) {
    self.limit = limit
    self.hasCompleted = hasCompleted
    nextSweep = min(1024, limit)
  }

  /// Returns whether there are too many tasks now that have not completed; but not for each task
  /// that comes then.
  @discardableResult mutating func insert(_ task: UnsafeMutableRawPointer) -> Bool {
    guard tasks.insert(task).inserted else { return false }
    _ = reference(task).retain()
    guard tasks.count >= nextSweep else { return false }
    sweep()
    let isCrowd = tasks.count >= limit
    nextSweep = max(1024, 2 * tasks.count)
    if !isCrowd { nextSweep = min(nextSweep, max(limit, tasks.count + 1024)) }
    return isCrowd
  }

  /// Looks whether a task has completed, after a job of it has run.
  mutating func didRun(_ task: UnsafeMutableRawPointer) {
    if hasCompleted(task), tasks.remove(task) != nil { reference(task).release() }
  }

  /// The tasks that are not known to have completed, oldest first.
  mutating func remaining() -> [UnsafeMutableRawPointer] {
    sweep()
    var remaining = Array(tasks)
    // In C, since there may be a million, and debug builds of Swift sort slowly.
    remaining.withUnsafeMutableBufferPointer { cvt_sort_tasks($0.baseAddress, $0.count) }
    return remaining
  }

  mutating func removeAll() {
    for task in tasks { reference(task).release() }
    tasks = []
  }

  private mutating func sweep() {
    let completed = tasks.filter(hasCompleted)
    tasks.subtract(completed)
    for task in completed { reference(task).release() }
  }

  private func reference(_ task: UnsafeMutableRawPointer) -> Unmanaged<AnyObject> {
    .fromOpaque(task)
  }
}

extension ScopeState {
  /// Takes out the tasks that were created on other threads.
  mutating func takeNewTasks() -> [UnsafeMutableRawPointer] {
    defer { newTasks = [] }
    return newTasks
  }
}
