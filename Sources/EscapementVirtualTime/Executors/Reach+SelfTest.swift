import CReach
import CVirtualTime
import Dispatch

#if canImport(Glibc)
  import Glibc
#endif

extension Reach {
  /// The functions that the C targets override.
  static var overrides: [cvt_override] {
    Array(
      sequence(state: 0) { index in
        defer { index += 1 }
        return rch_override_at(index)?.pointee
      })
  }

  /// Checks, when the first scope starts, whether calls reach the overrides.
  static func runSelfTest() {
    guard Platform.reachesQueues else { return }
    if let warning = warning(of: overrides) { return SelfTest.warn(warning) }
    if !rch_knows_queues() {
      return SelfTest.warn(
        warning(of: "libdispatch keeps what is known of a queue in another place than expected"))
    }
    cvt_set(cvt_reach_works, 1)
    // Thread Sanitizer is not told that what a thread did before it slept comes before what the
    // thread does that gets its baton.
    if cvt_is_sanitized() { return }
    if let missing = missingOfSleep() {
      warn(missingOfSleep: missing)
    } else {
      cvt_set(cvt_sleep_is_seen, 1)
    }
  }

  /// The file or call with which the kernel does not tell that a thread sleeps.
  private static func missingOfSleep() -> String? {
    let sleeper = Sleeper()
    defer { sleeper.isFree.signal() }
    cvt_run_on_worker(Unmanaged.passRetained(sleeper).toOpaque()) {
      let sleeper = Unmanaged<Sleeper>.fromOpaque($0).takeRetainedValue()
      sleeper.thread = cvt_thread_id()
      sleeper.isKnown.signal()
      sleeper.isFree.wait()
    }
    sleeper.isKnown.wait()
    return cvt_missing_of_sleep(sleeper.thread).map(String.init(cString:))
  }

  private final class Sleeper: @unchecked Sendable {
    // Sendable because the number is written before one thread signals, and read after the other
    // has waited.
    var thread: Int32 = 0
    let (isKnown, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  }

  private static func warn(missingOfSleep source: String) {
    SelfTest.warn(
      """
      Virtual time cannot see on this system whether a thread sleeps: '\(source)' does not tell, which is a \
      file under /proc/self/task or a system call. A block or a thread of a scope that waits for something else than queues, locks, conditions \
      and sleeps stops the scope until it goes on.

      Put such a wait into 'hold { }', or run the test on Linux 5.16 or later, outside of sandboxes \
      that have a kernel of their own.
      """)
  }

  /// The warning on the first function whose override is missing, or nil.
  ///
  /// The address tells whether calls arrive; a call would tell no more.
  static func warning(of overrides: [cvt_override]) -> String? {
    guard let missing = overrides.first(where: { !$0.arrives }) else { return nil }
    return warning(
      of: """
        this program does not use the package's override of \(String(cString: missing.name)). \
        Without it, \(String(cString: missing.without))
        """)
  }

  private static func warning(of reason: String) -> String {
    """
    Dispatch queues and threads are real in virtual time, because \(reason). A scope does not see the \
    blocks that its code submits.

    Put such calls into 'hold { }', or link the standard library dynamically.
    """
  }
}

extension cvt_override {
  /// Whether calls of the function come to the override.
  var arrives: Bool { cvt_is_own(UInt64(UInt(bitPattern: function))) }
}
