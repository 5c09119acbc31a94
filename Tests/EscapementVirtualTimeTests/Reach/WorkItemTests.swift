@preconcurrency import Dispatch
import EscapementVirtualTime
import TestSupport
import Testing

@Suite(.virtualStandardClocks) struct WorkItemTests {
  @Test func `a work item can be waited for, notifies, and can be cancelled`() async throws {
    let log = try await sameLog { log in
      let queue = DispatchQueue(label: "queue")
      await withCheckedContinuation { done in
        let item = DispatchWorkItem(qos: .utility) { log.mark("item") }
        let cancelled = DispatchWorkItem { log.mark("cancelled") }
        item.notify(queue: queue) {
          log.mark("notified")
          done.resume()
        }
        queue.asyncAfter(deadline: .now() + 1, execute: cancelled)
        DispatchQueue.global().async {
          #expect(item.wait(timeout: .now() + 2) == .timedOut)
          log.mark("timed out")
          queue.asyncAfter(deadline: .now() + 3, execute: item)
          item.wait()
          log.mark("waited")
        }
        cancelled.cancel()
        #expect(cancelled.isCancelled)
      }
    }
    #expect(log.contains("timed out@2000"))
    #expect(Set(log) == ["timed out@2000", "item@5000", "waited@5000", "notified@5000"])
  }

  @Test func `a work item that is a barrier waits for the blocks before it`() async throws {
    let log = try await sameLog { log in
      let queue = DispatchQueue(label: "wide", attributes: .concurrent)
      let go = DispatchSemaphore(value: 0)
      await withCheckedContinuation { done in
        for i in 0..<2 {
          queue.async {
            go.wait()
            log.mark("\(i)")
          }
        }
        queue.async(execute: DispatchWorkItem(flags: .barrier) { log.mark("barrier") })
        queue.async {
          log.mark("behind")
          done.resume()
        }
        queue.asyncAfter(deadline: .now() + 1) {}
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
          go.signal()
          go.signal()
        }
      }
    }
    #expect(log == ["0@1000", "1@1000", "barrier@1000", "behind@1000"])
  }

  @Test func `a work item that is performed runs at once`() async throws {
    let log = try await sameLog { log in
      let item = DispatchWorkItem { log.mark("item") }
      item.perform()
      item.wait()
      log.mark("after")
    }
    #expect(log == ["item@0", "after@0"])
  }
}
