import CVirtualTime

/// The kind of thread that drains a scope.
///
/// To drain a scope is to hold its baton, which one thread does at a time and hands on.
enum Drainer {
  /// The main queue. It must not be blocked, and runs other jobs than those of the main actor only
  /// for a while, so that a body on the main actor does not change its thread with each sleep.
  case main
  /// The thread of the caller of `withVirtualTime`, which waits for the scope anyway. It must come
  /// back.
  case caller
  /// A thread that can be spared.
  case worker

  /// The first drainer of a scope whose caller has this isolation.
  static func first(on isolation: (any Actor)?) -> Drainer {
    guard let isolation else { return BorrowedThreads.borrow() ? .caller : .worker }
    // An actor of the caller must not wait for what else is in the scope.
    return isolation === MainActor.shared ? .main : .worker
  }

  /// How many jobs may follow each other on a thread that is needed elsewhere.
  static let jobsInARow = 256
  /// How many jobs that are not the main actor's may follow each other on the main queue.
  static let othersOnMain = 16

  /// The drainer that must run a job, when the scope has this one.
  ///
  /// - Parameter mayLoseThread: Whether a task may keep its thread for ever, or end with it: tasks
  ///   that are left over are being cancelled, or hosts may crash.
  func next(
    for job: ReadyJob.Kind, mayLoseThread: Bool, othersOnMain others: Int
  ) -> Drainer {
    switch (job, self) {
    case (.mainActor, _), (.entryOnMain, _): .main
    case (.arrival, _) where mayLoseThread: .worker
    case (.arrival, _), (.resumption, _), (.entry, _), (.thread, _), (_, .worker): self
    // Code that is not a task's does not have to give its thread back.
    case (.entryOnWorker, _): .worker
    // A loop on an actor that ignores its cancellation never suspends, and keeps its thread for
    // ever.
    case (.actor, _): .worker
    case (.task, .caller): mayLoseThread ? .worker : .caller
    case (.task, .main): mayLoseThread || others >= Drainer.othersOnMain ? .worker : .main
    }
  }
}

/// The threads of callers that drain their scopes themselves.
///
/// One processor is always left for others, should the code of a scope block its thread.
enum BorrowedThreads {
  private static let limit = Int(cvt_processors()) - 1

  static func borrow() -> Bool {
    if cvt_add(cvt_borrowed_threads, 1) <= limit { return true }
    giveBack()
    return false
  }

  static func giveBack() { _ = cvt_add(cvt_borrowed_threads, -1) }
}
