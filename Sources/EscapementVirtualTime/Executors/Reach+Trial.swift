import CReach
import CVirtualTime
import Dispatch
import IssueReporting

#if canImport(Glibc)
  import Glibc
#endif

extension Reach {
  /// Looks, when the first scope starts, whether calls of libdispatch reach the overrides.
  static func runTrial() {
    guard Platform.reachesQueues else { return }
    let missing = rch_try_overrides { which in
      switch which {
      case 0: DispatchQueue.global().async {}
      case 1: _ = DispatchSemaphore(value: 0).wait(timeout: .now())
      case 2:
        let group = DispatchGroup()
        group.notify(queue: .global()) {}
      case 3: DispatchSource.makeUserDataAddSource().activate()
      default: usleep(1)
      }
    }
    if let missing { warn(missing: String(cString: missing)) } else { cvt_set_reach_works() }
  }

  private static func warn(missing: String) {
    reportIssue(
      """
      Dispatch queues and threads are real in virtual time, because this program does not use the \
      package's override of \(missing). A scope does not see the blocks that its code submits.

      Put such calls into 'hold { }', or link the standard library dynamically.
      """, severity: .warning)
  }
}
