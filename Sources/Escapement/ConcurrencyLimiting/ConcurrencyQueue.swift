/// The tasks that wait for their turn: those with the highest priority first, and of equal ones
/// those that came first.
///
/// Each task has a time within which it should get its turn. It is short for those that come while
/// the queue has not been empty for a long time, since they would only make it longer. This is how
/// Facebook's servers use CoDel (Nichols, Jacobson: *Controlling Queue Delay*, 2012; Maurer: *Fail
/// at Scale*, 2015).
struct ConcurrencyQueue<Waiter> {
  /// The place of a task.
  struct Place: Equatable {
    let priority: TaskPriority
    let id: Int
  }

  private struct Lane {
    let priority: TaskPriority
    var tasks = FIFO<(waiter: Waiter, deadline: Int64)>()
  }

  /// The highest priority first; none is empty.
  private var lanes: [Lane] = []
  private(set) var count = 0
  private let maximumDelay: Int64?
  /// Since when there is always a task in it.
  private var filledAt: Int64 = 0

  /// - Parameter maximumDelay: The longest time in nanoseconds, if there is one.
  init(maximumDelay: Int64?) { self.maximumDelay = maximumDelay }

  mutating func append(_ waiter: Waiter, _ priority: TaskPriority, at now: Int64) -> Place {
    if count == 0 { filledAt = now }
    count += 1
    let index = lanes.firstIndex { $0.priority <= priority } ?? lanes.count
    if index == lanes.count || lanes[index].priority != priority {
      lanes.insert(Lane(priority: priority), at: index)
    }
    let deadline = maximumDelay.map { now + (now - filledAt > $0 ? $0 / 20 : $0) } ?? .max
    return Place(priority: priority, id: lanes[index].tasks.append((waiter, deadline)))
  }

  /// Removes the first task; also says whether it has waited for too long.
  mutating func removeFirst(at now: Int64) -> (waiter: Waiter, isLate: Bool)? {
    guard let first = lanes.first?.tasks.first else { return nil }
    lanes[0].tasks.removeFirst()
    hasRemoved(from: 0)
    return (first.waiter, now > first.deadline)
  }

  /// Removes the last task, if its priority is lower than another one.
  mutating func removeLast(below priority: TaskPriority) -> Waiter? {
    guard let last = lanes.last, last.priority < priority, let id = last.tasks.lastID else {
      return nil
    }
    return remove(Place(priority: last.priority, id: id))
  }

  /// Removes a task, or returns `nil` if it is not in the queue any more.
  mutating func remove(_ place: Place) -> Waiter? {
    guard let index = lanes.firstIndex(where: { $0.priority == place.priority }),
      let task = lanes[index].tasks.remove(place.id)
    else { return nil }
    hasRemoved(from: index)
    return task.waiter
  }

  private mutating func hasRemoved(from index: Int) {
    count -= 1
    if lanes[index].tasks.isEmpty { lanes.remove(at: index) }
  }
}
