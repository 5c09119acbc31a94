import CVirtualTime

// The runtime does not tell when a task completes. `LiveTasks` retains the unstructured tasks of a
// scope and looks at the state of their futures, in the runtime's own object. Whether that is where
// it is expected is tried once, on two tasks; if not, tasks that do not sleep are not looked after
// at the end.

extension Scope {
  /// Whether this runtime lets us see that a task has completed.
  ///
  /// If it does not, tasks that do not sleep are not looked after at the end of a scope.
  static var seesCompletion: Bool { cvt_get(cvt_completion_is_seen) == 2 }

  /// Tries, once, on two tasks whether it is seen which of them has completed.
  static func checkThatCompletionIsSeen() async {
    guard cvt_get(cvt_completion_is_seen) == 0 else { return }
    let (gate, open) = AsyncStream.makeStream(of: Never.self)
    let running = Task.detached { for await _ in gate {} }
    let completed = Task.detached {}
    await completed.value
    let isSeen = isSeenToBeOver(completed) && !isSeenToBeOver(running)
    open.finish()
    cvt_set(cvt_completion_is_seen, isSeen ? 2 : 1)
  }

  private static func isSeenToBeOver(_ task: Task<Void, Never>) -> Bool {
    cvt_has_completed(unsafeBitCast(task, to: UnsafeMutableRawPointer.self))
  }
}
