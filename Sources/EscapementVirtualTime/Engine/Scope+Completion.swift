import CVirtualTime
import Synchronization

/// 0: not known yet, 1: no, 2: yes.
private let completionIsSeen = Atomic<UInt8>(0)

extension Scope {
  /// Whether this runtime lets us see that a task has completed.
  ///
  /// If it does not, tasks that do not sleep are not looked after at the end of a scope.
  static var seesCompletion: Bool { completionIsSeen.load(ordering: .relaxed) == 2 }

  /// Tries, once, on two tasks whether it is seen which of them has completed.
  static func checkThatCompletionIsSeen() async {
    guard completionIsSeen.load(ordering: .relaxed) == 0 else { return }
    let (gate, open) = AsyncStream.makeStream(of: Never.self)
    let running = Task.detached { for await _ in gate {} }
    let completed = Task.detached {}
    await completed.value
    let isSeen = isSeenToBeOver(completed) && !isSeenToBeOver(running)
    open.finish()
    completionIsSeen.store(isSeen ? 2 : 1, ordering: .relaxed)
  }

  private static func isSeenToBeOver(_ task: Task<Void, Never>) -> Bool {
    cvt_has_completed(unsafeBitCast(task, to: UnsafeMutableRawPointer.self))
  }
}
