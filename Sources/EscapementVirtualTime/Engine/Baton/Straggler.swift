import CReach
import CVirtualTime

/// A thread that had the baton of a scope, and lost it because it waits for something that the
/// scope does not know.
///
/// It asks for the baton when it comes to a call of ours, or to the end of its job. Until then it
/// may run beside the thread that has the baton.
struct Straggler: @unchecked Sendable {
  // Sendable because what the pointer leads to is only read, and the thread asks for the baton
  // before it ends.

  let thread: Int32
  let baton: UnsafeMutablePointer<cvt_baton>
  /// The kind of thread that drained the scope.
  let drainer: Drainer
  /// Whether it is inside the call that began the scope.
  let isCaller: Bool
  /// How many tasks of the scope it runs, which are not under way while it waits.
  let tasks: Int32
  /// In what function of the kernel it waited.
  let waitsIn: String
  /// Whether it has been asked on which actor it runs a task, and that actor, if there is one.
  var wasAsked = false
  var actor: UnsafeRawPointer?

  /// Whether the thread waits for something that its scope does not know, at this moment.
  func waits(in scope: UInt32) -> Bool {
    let timesScheduled = cvt_turns_of(thread)
    return cvt_sleep_of(thread, timesScheduled).isUnknown(to: scope) && cvt_baton_is_free(baton)
      && cvt_turns_of(thread) == timesScheduled
  }
}

extension cvt_sleep {
  /// Whether the thread sleeps, and not because of a process, of a lock of the C library, or of a
  /// lock whose owner does not wait in its scope.
  func isUnknown(to scope: UInt32) -> Bool {
    sleeps && !is_for_others && (owner == 0 || rch_waits_in(scope, owner))
  }

  /// The function of the kernel in which the thread sleeps.
  var function: String {
    withUnsafeBytes(of: place) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
