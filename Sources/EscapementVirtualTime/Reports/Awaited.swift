import CVirtualTime

/// The thing for which a suspended task waits, if it is not a deadline.
enum Awaited: Hashable, Sendable, CustomStringConvertible {
  case value(of: TaskDescription)
  /// The other task does not belong to the scope, and may be older.
  case valueFromOutside(task: TaskDescription, isOlder: Bool)
  case continuation
  /// A sleep of a standard clock that takes real time.
  case realSleep
  case childTasks
  /// The task is in the mailbox of an actor of this type.
  case actor(String)
  case mainActor
  /// The task is given to an actor with an executor of its own.
  case executor
  /// The task could go on, and its host does not.
  case pausedHost
  /// The task is not suspended, and its thread waits.
  case thread
  case unknown

  /// The object that is the main actor's executor.
  static var mainExecutor: UnsafeRawPointer {
    let executor = MainActor.sharedUnownedExecutor
    return withUnsafeBytes(of: executor) { $0.load(as: UnsafeRawPointer.self) }
  }

  /// What a task waits for that is not running.
  init(of task: UnsafeRawPointer) {
    if cvt_is_on_thread(task) {
      self = .thread
      return
    }
    let dependency = cvt_dependency_of(task)
    switch (dependency.kind, dependency.object) {
    case (cvt_waits_for_continuation, _): self = .continuation
    case (cvt_waits_for_group, _): self = .childTasks
    case (cvt_waits_for_executor, _) where cvt_state_of_task(task) == cvt_life_is_paused:
      self = .pausedHost
    case (cvt_waits_for_executor, Self.mainExecutor): self = .mainActor
    case (cvt_waits_for_executor, _):
      self = dependency.actor_type.map { .actor(typeName(of: $0)) } ?? .executor
    default: self = dependency.task.map { Awaited(valueOf: $0, by: task) } ?? .unknown
    }
  }

  private init(valueOf other: UnsafeRawPointer, by task: UnsafeRawPointer) {
    let id = cvt_task_id(other)
    let (scope, owner) = (cvt_owner_of(cvt_task_id(task)), cvt_owner_of(id))
    self =
      scope <= UInt32(cvt_outside) || scope == owner
      ? .value(of: TaskDescription(of: other))
      : .valueFromOutside(task: TaskDescription(of: other), isOlder: cvt_is_older(id, scope))
  }

  var description: String {
    switch self {
    case .value(let task): "the value of \(task)"
    case .valueFromOutside(let task, let isOlder):
      "the value of \(task), which was made outside of the scope"
        + (isOlder ? ", before it, as in 'setUp()'" : "")
    case .continuation: "a continuation that has not been resumed"
    case .realSleep: "the end of a sleep in real time"
    case .childTasks: "its child tasks"
    case .actor(let type): "the actor “\(type)”"
    case .mainActor: "the main actor"
    case .executor: "the executor of an actor"
    case .pausedHost: "its host, which is paused or suspended"
    case .thread: "what its thread waits for"
    case .unknown: "something that is not a deadline"
    }
  }
}

extension cvt_dependency {
  /// The task whose value is awaited, if one is.
  var task: UnsafeRawPointer? { kind == cvt_waits_for_task ? object : nil }
}

/// The child tasks of a task that have not ended, as far as they can be seen.
func childTasks(of task: UnsafeRawPointer, atMost count: Int = .max) -> [UnsafeRawPointer] {
  var capacity = min(count, 32)
  while true {
    let children = [UnsafeRawPointer?](unsafeUninitializedCapacity: capacity) { buffer, found in
      found = cvt_children_of(task, buffer.baseAddress!, capacity)
    }
    if children.count < capacity || capacity == count { return children.compactMap { $0 } }
    capacity = min(count, 4 * capacity)
  }
}

/// The name of a type.
func typeName(of type: UnsafeRawPointer) -> String {
  typeName(unsafeBitCast(type, to: Any.Type.self))
}

/// The name of a type.
func typeName(_ type: Any.Type) -> String { _typeName(type, qualified: false) }
