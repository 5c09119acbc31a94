import CReach

/// The part of a scope that only the thread that drains it touches.
struct Draining: ~Copyable {
  var ready = ReadyQueue()
  var live: LiveTasks
  var patience: Patience
  var main = MainQueueUse()
  var ending = Ending()
  /// Whether the first ready job has been decided to be next, while schedules are explored.
  var hasDecided = false
  /// The notices that have been given.
  var notices: Set<Notice> = []
  /// Whether there may be threads that have lost the baton and have not asked for it since.
  var mayHaveStragglers = false
  /// How many jobs have run since files were last looked at.
  var jobsSincePoll = 0

  init(_ options: VirtualTimeOptions) {
    live = LiveTasks(limit: options.taskLimit)
    patience = Patience(jobLimit: options.jobLimit)
  }
}

/// The end of a scope, as far as it has come.
struct Ending {
  /// Whether what is left over has been cancelled.
  var isCancelling = false
  /// How many jobs had begun to run when it was cancelled last.
  var jobsAtCancellation: Int64 = 0
  /// The problem that is reported when the scope ends on this thread.
  var lastProblem: Problem?
  /// Whether the scope does not run any more what is ready, because that would never end.
  var isWithoutEnd = false
  /// Blocks and threads that were ready then.
  var droppedEntries: [UnsafeMutablePointer<rch_entry>] = []
}
