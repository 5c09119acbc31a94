import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

/// Queues with a common target, which is serial: their blocks run in the order in which they are submitted.
@Suite(.virtualStandardClocks) struct QueueHierarchyTests {
  @Test func `blocks that a common target has kept run in the order of their submission`()
    async throws
  {
    let log = try await sameLog { log in
      let target = DispatchQueue(label: "target")
      let queues = (1...2).map { DispatchQueue(label: "\($0)", target: target) }
      target.async {
        usleep(1_000)
        log.mark("target")
      }
      for queue in [target] + queues {
        for i in 0..<2 { queue.async { log.mark("\(queue.label) \(i)") } }
      }
      await log.wait(for: 7)
    }
    #expect(log.first == "target@1")
    #expect(
      log.dropFirst() == [
        "target 0@1", "target 1@1", "1 0@1", "1 1@1", "2 0@1", "2 1@1",
      ])
  }

  @Test func `work that is waited for comes after what the target has been given before`()
    async throws
  {
    let log = try await sameLog { log in
      let target = DispatchQueue(label: "target")
      let queues = (1...2).map { DispatchQueue(label: "\($0)", target: target) }
      target.async { log.mark("target") }
      queues[0].sync { log.mark("1") }
      queues[0].async { log.mark("1 again") }
      queues[1].sync { log.mark("2") }
      queues[1].async { log.mark("2 again") }
      target.sync { log.mark("target again") }
    }
    #expect(
      log == ["target@0", "1@0", "1 again@0", "2@0", "2 again@0", "target again@0"], "\(log)")
  }

  @Test func `a queue that is suspended does not stop others with its target`() async throws {
    let log = try await sameLog { log in
      let target = DispatchQueue(label: "target")
      let queues = (1...2).map { DispatchQueue(label: "\($0)", target: target) }
      queues[0].suspend()
      queues[0].async { log.mark("1") }
      queues[1].async { log.mark("2") }
      queues[1].sync { log.mark("2 sync") }
      try await Task.sleep(for: .milliseconds(1))
      queues[0].resume()
      target.sync {}
    }
    #expect(log == ["2@0", "2 sync@0", "1@1"], "\(log)")
  }

  @Test func `thousands of blocks that a queue has kept run in the order of their submission`()
    async throws
  {
    let log = Log<Int>()
    try await withVirtualTime(.reaching) { time in
      let queue = DispatchQueue(label: "queue")
      queue.async { usleep(1_000) }
      for number in 0..<5_000 { queue.async { log.append(number) } }
      queue.sync {}
      #expect(time.now.offset == .milliseconds(1))
    }
    #expect(log.entries == Array(0..<5_000))
  }

  @Test func `thousands of queues wait in turn inside a common target`() async throws {
    let log = Log<Int>()
    try await withVirtualTime(.reaching) { time in
      let target = DispatchQueue(label: "target")
      let all = DispatchGroup()
      for number in 0..<2_000 {
        DispatchQueue(label: "\(number)", target: target).async(group: all) {
          usleep(1_000)
          log.append(number)
        }
      }
      await withCheckedContinuation { done in
        all.notify(queue: .global()) { done.resume() }
      }
      #expect(time.now.offset == .seconds(2))
    }
    #expect(log.entries == Array(0..<2_000))
  }

  @Test func `a queue that gets another target takes its blocks there`() async throws {
    let log = try await sameLog { log in
      let targets = (1...2).map { DispatchQueue(label: "\($0)") }
      let queue = DispatchQueue(label: "", attributes: .initiallyInactive, target: targets[0])
      queue.async { log.mark("queue") }
      queue.setTarget(queue: targets[1])
      targets[0].async { log.mark("1") }
      targets[0].sync { log.mark("1 sync") }
      queue.activate()
      targets[1].sync { log.mark("2 sync") }
    }
    #expect(log == ["1@0", "1 sync@0", "queue@0", "2 sync@0"], "\(log)")
  }

  @Test func `blocks behind a barrier run side by side`() async throws {
    let log = try await sameLog { log in
      let queue = DispatchQueue(label: "queue", attributes: .concurrent)
      for number in 1...6 {
        queue.async(flags: number % 3 == 0 ? .barrier : []) {
          usleep(1_000)
          log.mark("\(number)")
        }
      }
      queue.sync(flags: .barrier) {}
    }
    #expect(log == ["1@1", "2@1", "3@2", "4@3", "5@3", "6@4"], "\(log)")
  }
}
