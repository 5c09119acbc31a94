import CVirtualTime
import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing
import _EscapementCore

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

  @Test func `a thread that runs has not lost the baton, even for a moment`() {
    let stop = Lock(false)
    let losses = Log<Int>()
    let begun = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    let runner = Log<(thread: Int32, baton: UInt)>()
    Thread.detachNewThread {
      runner.append((cvt_thread_id(), UInt(bitPattern: cvt_baton_here())))
      begun.signal()
      var count = 0
      while !stop.withLock({ $0 }) {
        for _ in 0..<1_000 where cvt_baton_is_lost() { count += 1 }
      }
      losses.append(count)
      ended.signal()
    }
    begun.wait()
    let thread = runner.entries[0].thread
    let baton = UnsafeMutablePointer<cvt_baton>(bitPattern: runner.entries[0].baton)!
    for _ in 0..<100 { #expect(!cvt_baton_take_away(baton, 0, thread, cvt_turns_of(thread))) }
    stop.withLock { $0 = true }
    ended.wait()
    #expect(losses.entries == [0])
  }

  @Test func `nothing is known of a thread that does not exist`() {
    #expect(cvt_turns_of(-1) == -1)
    #expect(!cvt_sleep_of(-1, -1).sleeps)
    #expect(cvt_missing_of_sleep(-1).map(String.init(cString:)) == "schedstat")
  }

  // It loses the baton again and again.
  @Test(.withoutThreadSanitizer, arguments: [5_000, 30_000], [false, true])
  func `a hold whose thread polls for ever is reported`(
    microseconds: UInt32, ignoresCancellation: Bool
  ) async {
    let options = VirtualTimeOptions(
      stallLimit: .milliseconds(100), holdLimit: .milliseconds(200))
    let stop = Lock(false)
    let issues = await issues {
      try? await withVirtualTime(options) { time in
        await time.hold {
          while ignoresCancellation ? !stop.withLock({ $0 }) : !Task.isCancelled {
            usleep(microseconds)
          }
        }
      }
    }
    stop.withLock { $0 = true }
    #expect(issues.count == 1)
    let message = issues.first?.message ?? ""
    #expect(message.contains("is held at +0.0 seconds for more than 0.2 seconds of real time"))
    #expect(!message.contains("wrap the wait"), "\(message)")
  }

  @Test func `holds of less than the limit that overlap are not reported`() async throws {
    try await withVirtualTime(VirtualTimeOptions(holdLimit: .milliseconds(1_500))) { time in
      await withTaskGroup { group in
        for n in 0..<2 as Range<UInt32> {
          group.addTask {
            for _ in 0..<6 { await time.hold { _ = usleep(300_000 + 75_000 * n) } }
          }
        }
      }
      #expect(time.now.offset == .zero)
    }
  }

  @Test func `a hold goes on beside a task that yields until it has ended`() async throws {
    try await withVirtualTime { time in
      let hasEnded = Lock(false)
      async let polls: Void = {
        while !hasEnded.withLock({ $0 }) { await Task.yield() }
      }()
      await time.hold {
        usleep(1_000)
        usleep(1_000)
      }
      await time.hold {
        await withCheckedContinuation { done in
          DispatchQueue.global().async { done.resume() }
        }
      }
      hasEnded.withLock { $0 = true }
      await polls
    }
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
