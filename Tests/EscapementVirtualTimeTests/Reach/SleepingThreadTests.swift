import CVirtualTime
import Dispatch
import Foundation
import TestSupport
import Testing

/// What the kernel tells of threads.
@Suite(.virtualStandardClocks) struct SleepingThreadTests {
  @Test func `a thread that waits sleeps, as long as it is not given a processor`() {
    withSleeper { thread in
      let turns = cvt_turns_of(thread)
      #expect(cvt_sleep_of(thread, turns).sleeps)
      #expect(!cvt_sleep_of(thread, turns - 1).sleeps)
    }
  }

  @Test func `a thread that runs does not sleep`() {
    let thread = cvt_thread_id()
    #expect(cvt_turns_of(thread) > 0)
    #expect(!cvt_sleep_of(thread, cvt_turns_of(thread)).sleeps)
  }

  @Test func `nothing is known of a thread that does not exist`() {
    #expect(cvt_turns_of(-1) == -1)
    #expect(!cvt_sleep_of(-1, -1).sleeps)
    #expect(cvt_missing_of_sleep(-1).map(String.init(cString:)) == "schedstat")
  }

  /// Calls a function with the number of a thread that sleeps.
  private func withSleeper(_ body: (Int32) -> Void) {
    let (isKnown, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let thread = Log<Int32>()
    let handle = Thread {
      thread.append(cvt_thread_id())
      isKnown.signal()
      isFree.wait()
    }
    handle.start()
    isKnown.wait()
    let number = thread.entries[0]
    // Returns as soon as it sleeps.
    #expect(cvt_missing_of_sleep(number) == nil)
    body(number)
    isFree.signal()
  }
}
