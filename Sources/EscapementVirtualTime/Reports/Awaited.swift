import CVirtualTime

/// What a suspended task waits for that is not a deadline.
enum Awaited: Hashable, Sendable, CustomStringConvertible {
  case value(ofTask: UInt64)
  /// The other task does not belong to the scope, and may be older.
  case valueFromOutside(task: UInt64, isOlder: Bool)
  case continuation
  case childTasks
  /// The task is in the mailbox of an actor of this type.
  case actor(String)
  case mainActor
  /// The task is given to an actor with an executor of its own.
  case executor
  case unknown

  /// The object that is the main actor's executor.
  private static var mainExecutor: UnsafeRawPointer {
    let executor = MainActor.sharedUnownedExecutor
    return withUnsafeBytes(of: executor) { $0.load(as: UnsafeRawPointer.self) }
  }

  /// What a task waits for that is not running.
  init(of task: UnsafeRawPointer) {
    let dependency = cvt_dependency_of(task)
    switch (dependency.kind, dependency.object) {
    case (cvt_waits_for_task, let other?): self = Awaited(valueOf: other, by: task)
    case (cvt_waits_for_continuation, _): self = .continuation
    case (cvt_waits_for_group, _): self = .childTasks
    case (cvt_waits_for_executor, Self.mainExecutor): self = .mainActor
    case (cvt_waits_for_executor, _):
      self = dependency.actor_type.map { .actor(actorName(of: $0)) } ?? .executor
    default: self = .unknown
    }
  }

  private init(valueOf other: UnsafeRawPointer, by task: UnsafeRawPointer) {
    let id = cvt_task_id(other)
    let (scope, owner) = (cvt_owner_of(cvt_task_id(task)), cvt_owner_of(id))
    self =
      scope <= UInt32(cvt_outside) || scope == owner
      ? .value(ofTask: id)
      : .valueFromOutside(task: id, isOlder: cvt_is_older(id, scope))
  }

  var description: String {
    switch self {
    case .value(let task): "the value of task \(task)"
    case .valueFromOutside(let task, let isOlder):
      "the value of task \(task), which was made outside of the scope"
        + (isOlder ? ", before it, as in 'setUp()'" : "")
    case .continuation: "a continuation that has not been resumed"
    case .childTasks: "its child tasks"
    case .actor(let type): "the actor “\(type)”"
    case .mainActor: "the main actor"
    case .executor: "the executor of an actor"
    case .unknown: "something that is not a deadline"
    }
  }
}

/// The name of the type of an actor.
func actorName(of type: UnsafeRawPointer) -> String {
  _typeName(unsafeBitCast(type, to: Any.Type.self), qualified: false)
}
