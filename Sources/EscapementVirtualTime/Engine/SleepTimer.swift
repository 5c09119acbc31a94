import CVirtualTime
import _EscapementCore

/// An entry of the scope's timer queue: a task sleeps until a deadline.
struct SleepTimer {
  enum Wakeup {
    /// A sleep of a standard clock. The runtime has a job of its own that ends it.
    case job(UnownedJob)
    /// A sleep on the handle.
    case sleeper(Sleeper)
  }

  var wakeup: Wakeup
  /// The sleeping task, kept alive so that it can be cancelled whatever has become of it.
  let task: AnyObject?
  let name: String?
  let armedAt: Nanoseconds

  /// A timer for the task that this thread runs.
  init(_ wakeup: Wakeup, armedAt: Nanoseconds) {
    self.wakeup = wakeup
    self.armedAt = armedAt
    task = cvt_current_task().map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    name = cvt_current_task_name().map(String.init(cString:))
  }

  var taskPointer: UnsafeMutableRawPointer? {
    task.map { Unmanaged.passUnretained($0).toOpaque() }
  }

  var taskDescription: TaskDescription? {
    taskPointer.map { TaskDescription(id: cvt_task_id($0), name: name) }
  }
}
