import CReach

/// Work of a scope that is not a task's, such as a block of a queue, as reports show it.
struct Work: Hashable, Sendable, CustomStringConvertible {
  private let what: String
  private let queue: String?
  private let queueIsSuspended: Bool
  /// The function that it calls, or 0.
  private let code: UInt64
  /// The thread that goes on with it, or 0.
  let thread: Int32

  /// `nil` if the entry is the engine's own.
  init?(_ entry: UnsafeMutablePointer<rch_entry>) { self.init(rch_tell(entry)) }

  init?(_ work: rch_work) {
    guard let what = work.what else { return nil }
    self.what = String(cString: what)
    queue = work.queue.map { String(cString: $0) }.flatMap(TaskDescription.shown)
    queueIsSuspended = work.queue_is_suspended
    code = work.code
    thread = work.thread
  }

  /// Its name and its place.
  var description: String { name + inPlace }

  var name: String { what + (queue.map { " of the queue “\($0)”" } ?? "") }

  /// The function that it calls, if that is known.
  var place: String? {
    code == 0 ? nil : Symbols.description(of: [code]) ?? Symbols.closure(calledAt: code)
  }

  /// Work that waits for queues, and why.
  var waitForQueue: String {
    let queue = queue.map { "the queue “\($0)”" } ?? "a queue"
    let reason = queueIsSuspended ? "is suspended" : "has other work that has not ended"
    let waiter = thread == 0 ? what : "thread \(thread)"
    return "\(waiter) waits for \(queue), which \(reason)\(inPlace)"
  }

  private var inPlace: String { place.map { "\n    in \($0)" } ?? "" }
}

/// A timer of a scope that is not the sleep of a task.
struct WorkTimer: Sendable, CustomStringConvertible {
  let work: Work
  let deadline: Nanoseconds

  var description: String {
    let parts = work.description.split(separator: "\n", maxSplits: 1)
    return "\(parts[0]), due at +\(deadline.duration)"
      + parts.dropFirst().map { "\n\($0)" }.joined()
  }
}

extension Sleepers {
  /// The first timers that are not sleeps of tasks or threads.
  func workTimers(atMost count: Int) -> [WorkTimer] {
    let timers = timers.inOrder.lazy.compactMap { deadline, _, timer -> WorkTimer? in
      guard let entry = timer.wakeup.entry, timer.task == nil else { return nil }
      return Work(entry).map { WorkTimer(work: $0, deadline: deadline) }
    }
    return Array(timers.prefix(count))
  }
}
