@preconcurrency import Dispatch
import EscapementVirtualTime
import Foundation
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

  @Test(arguments: [false, true])
  func `a thread that was let in waits while its queue is suspended again`(
    isConcurrent: Bool
  ) async throws {
    let log = try await sameLog { log in
      let queue = DispatchQueue(label: "queue", attributes: isConcurrent ? .concurrent : [])
      let (first, all) = (DispatchWorkItem {}, DispatchGroup())
      // Both go on when the item has run: first the thread that suspends the queue.
      DispatchQueue.global().async(group: all) {
        first.wait()
        for _ in 0..<2 {
          queue.suspend()
          usleep(1_000)
          log.mark("resumes")
          queue.resume()
        }
      }
      DispatchQueue.global().async(group: all) {
        queue.async(execute: first)
        queue.sync { log.mark("inside") }
      }
      await withCheckedContinuation { done in
        all.notify(queue: .global()) { done.resume() }
      }
    }
    #expect(log == ["resumes@1", "resumes@2", "inside@2"], "\(log)")
  }

  @Test func `a scope ends while a queue is suspended that a thread was let into`() async throws {
    let queue = DispatchQueue(label: "queue")
    let log = Log<String>()
    let first = DispatchWorkItem {}
    var options = VirtualTimeOptions.reaching
    options.leftovers = .ignore
    try await withVirtualTime(options) { _ in
      DispatchQueue.global().async {
        first.wait()
        queue.suspend()
      }
      DispatchQueue.global().async {
        queue.async(execute: first)
        queue.sync { log.append("inside") }
      }
      try await Task.sleep(for: .milliseconds(1))
    }
    log.append("end")
    queue.resume()
    await log.wait(for: 2)
    #expect(log.entries == ["end", "inside"])
    try await withVirtualTime(.reaching) { _ in queue.sync { log.append("again") } }
    #expect(log.entries == ["end", "inside", "again"])
  }
}
