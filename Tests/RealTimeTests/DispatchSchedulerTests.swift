import Dispatch
import EscapementFoundation
import Synchronization
import TestSupport
import Testing
import _EscapementCore

/// What real queues do with work that is handed over through the seam.
@Suite struct DispatchQueueSchedulerTests {
  private let queue = DispatchQueue(label: "DispatchQueueSchedulerTests")
  private var scheduler: any DispatchScheduler { queue }

  @Test func `work runs in order, and sync waits for it`() {
    let log = Lock<[Int]>([])
    for number in 1...3 { scheduler.async { log.withLock { $0.append(number) } } }
    #expect(scheduler.sync { log.withLock { $0 } } == [1, 2, 3])
  }

  @Test func `a queue itself keeps its own methods`() async {
    await withCheckedContinuation { done in
      queue.async {
        queue.asyncAfter(deadline: .now()) { done.resume() }
      }
    }
  }

  @Test func `work with a deadline runs then`() async {
    let start = scheduler.currentTime
    let end = await withCheckedContinuation { done in
      scheduler.asyncAfter(deadline: start + .milliseconds(10)) {
        done.resume(returning: DispatchTime.now())
      }
    }
    #expect(end >= start + .milliseconds(10))
  }

  @Test func `a cancelled item does not run, and who waits for it is notified`() async {
    let count = Atomic(0)
    let item = DispatchWorkItem { count.add(1, ordering: .relaxed) }
    // However late this thread comes to cancel it, the item has not begun.
    queue.suspend()
    scheduler.asyncAfter(deadline: scheduler.currentTime + .milliseconds(5), execute: item)
    item.cancel()
    queue.resume()
    await withCheckedContinuation { done in scheduler.notify(after: item) { done.resume() } }
    #expect(count.load(ordering: .relaxed) == 0)
  }

  @Test func `a timer fires until it is cancelled`() async {
    let count = Atomic(0)
    let (ticks, continuation) = AsyncStream.makeStream(of: Void.self)
    let timer = scheduler.makeTimer(
      deadline: scheduler.currentTime, repeating: .milliseconds(1)
    ) {
      count.add(1, ordering: .relaxed)
      continuation.yield()
    }
    var iterator = ticks.makeAsyncIterator()
    for _ in 1...3 { await iterator.next() }
    scheduler.sync { timer.cancel() }
    let before = count.load(ordering: .relaxed)
    try? await Task.sleep(for: .milliseconds(10))
    #expect(timer.isCancelled)
    #expect(count.load(ordering: .relaxed) == before)
  }

  @Test func `a timer without a positive interval is a failed test, and is cancelled`() {
    let issues = issues {
      let timer = scheduler.makeTimer(deadline: .now(), repeating: .seconds(0)) {}
      #expect(timer.isCancelled)
    }
    #expect(issues.map { $0.message.contains("'interval' is 0.0 seconds") } == [true])
  }
}
