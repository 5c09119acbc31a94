/// The tasks that wait for their turn: those with the highest priority first, and of equal ones
/// those that came first.
///
/// Each task has a time within which it should get its turn. It is short for those that come while
/// tasks of their priority have waited for a long time, since they would only make the queue longer.
/// This is how Facebook's servers use CoDel (Nichols, Jacobson: *Controlling Queue Delay*, 2012;
/// Maurer: *Fail at Scale*, 2015).
struct ConcurrencyQueue<Waiter> {
  /// The place of a task.
  struct Place: Equatable {
    let priority: TaskPriority
    let id: Int
  }

  private struct Lane {
    let priority: TaskPriority
    var tasks = FIFO<(waiter: Waiter, deadline: Int64)>()
    /// Since when there is always a task in it.
    var filledAt: Int64 = 0
  }

  /// The highest priority first.
  ///
  /// They stay when they are empty, so that no number of a task is given again.
  private var lanes: [Lane] = []
  private(set) var count = 0
  var maximumDelay: Int64?

  /// - Parameter maximumDelay: The longest time in nanoseconds, if there is one.
  init(maximumDelay: Int64?) { self.maximumDelay = maximumDelay }

  mutating func append(_ waiter: Waiter, _ priority: TaskPriority, at now: Int64) -> Place {
    let index = lanes.firstIndex { $0.priority <= priority } ?? lanes.count
    if index == lanes.count || lanes[index].priority != priority {
      lanes.insert(Lane(priority: priority), at: index)
    }
    if lanes[index].tasks.isEmpty { lanes[index].filledAt = now }
    count += 1
    let deadline = deadline(at: now, filledAt: lanes[index].filledAt)
    return Place(priority: priority, id: lanes[index].tasks.append((waiter, deadline)))
  }

  private func deadline(at now: Int64, filledAt: Int64) -> Int64 {
    guard let maximumDelay else { return .max }
    let (filledFor, isLong) = now.subtractingReportingOverflow(filledAt)
    let delay = isLong || filledFor > maximumDelay ? maximumDelay / 20 : maximumDelay
    let (deadline, isBeyond) = now.addingReportingOverflow(delay)
    return isBeyond ? .max : deadline
  }

  /// Removes the first task.
  mutating func removeFirst() -> Waiter? {
    guard let index = lanes.firstIndex(where: { !$0.tasks.isEmpty }) else { return nil }
    count -= 1
    defer { lanes[index].tasks.removeFirst() }
    return lanes[index].tasks.first?.waiter
  }

  /// Removes the tasks that have waited for too long, but those behind others of their priority that
  /// have not.
  mutating func removeLate(at now: Int64) -> [Waiter] {
    guard maximumDelay != nil else { return [] }
    var late: [Waiter] = []
    for index in lanes.indices {
      while let first = lanes[index].tasks.first, first.deadline < now {
        lanes[index].tasks.removeFirst()
        late.append(first.waiter)
      }
    }
    count -= late.count
    return late
  }

  /// Removes the last task, if its priority is lower than another one.
  mutating func removeLast(below priority: TaskPriority) -> Waiter? {
    guard let index = lanes.lastIndex(where: { !$0.tasks.isEmpty }),
      lanes[index].priority < priority, let id = lanes[index].tasks.lastID
    else { return nil }
    count -= 1
    return lanes[index].tasks.remove(id)?.waiter
  }

  /// Removes a task, or returns `nil` if it is not in the queue any more.
  mutating func remove(_ place: Place) -> Waiter? {
    guard let index = lanes.firstIndex(where: { $0.priority == place.priority }),
      let task = lanes[index].tasks.remove(place.id)
    else { return nil }
    count -= 1
    return task.waiter
  }
}
