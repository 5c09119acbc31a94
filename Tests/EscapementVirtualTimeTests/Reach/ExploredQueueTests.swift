import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

private struct WrongOrder: Error {}

/// Runs pieces of work that append their numbers, and throws unless these are in order.
private func expectOrder(
  of count: Int, _ submit: @escaping @Sendable (Int, @escaping @Sendable () -> Void) -> Void
) async throws {
  let log = Log<Int>()
  let all = DispatchGroup()
  for number in 0..<count {
    all.enter()
    submit(number) {
      log.append(number)
      all.leave()
    }
  }
  await withCheckedContinuation { done in all.notify(queue: .global()) { done.resume() } }
  guard log.entries == Array(0..<count) else { throw WrongOrder() }
}

@Suite(.virtualStandardClocks) struct ExploredQueueTests {
  @Test func `blocks of a concurrent queue overtake each other`() async throws {
    let report = try await withExploration(100, options: .reaching) { _ in
      try await expectOrder(of: 2) { DispatchQueue.global().async(execute: $1) }
    }
    let failure = try #require(report.failure)
    #expect(failure.messages == ["WrongOrder()"])
    #expect(failure.schedule.overtakings.count == 1)
    #expect(failure.steps.count == 1)
    let block = "a block of the queue “com.apple.root.default-qos” (closure in expectOrder(of:_:))"
    #expect(failure.steps.first?.contains("\(block) overtakes \(block)") == true)
    #expect(report.firstDifference == nil)
    #expect(!report.hasWorkOutside)
    await #expect(throws: WrongOrder.self) {
      try await withVirtualTime(.reaching, order: .schedule("\(failure.schedule)")) { _ in
        try await expectOrder(of: 2) { DispatchQueue.global().async(execute: $1) }
      }
    }
  }

  @Test func `threads overtake each other`() async throws {
    let report = try await withExploration(100, options: .reaching) { _ in
      try await expectOrder(of: 2) { Thread(block: $1).start() }
    }
    let step = report.failure?.steps.first
    #expect(step?.hasSuffix("a thread that begins overtakes a thread that begins") == true)
    #expect(report.failure?.messages == ["WrongOrder()"])
  }

  @Test func `blocks and tasks overtake each other`() async throws {
    let report = try await withExploration(100, options: .reaching) { _ in
      try await expectOrder(of: 2) { number, work in
        if number == 0 { DispatchQueue.global().async(execute: work) } else { Task { work() } }
      }
    }
    let step = report.failure?.steps.first
    #expect(step?.contains("task 2 (closure in ExploredQueueTests.") == true)
    #expect(step?.contains(" overtakes a block of the queue ") == true)
    #expect(report.failure?.messages == ["WrongOrder()"])
  }

  @Test func `blocks of a serial queue keep their order`() async throws {
    let report = try await withExploration(200, options: .reaching) { _ in
      let queue = DispatchQueue(label: "serial")
      try await expectOrder(of: 4) { queue.async(execute: $1) }
    }
    #expect(report.failure == nil)
    #expect(report.schedulesTried == 201)
  }

  @Test func `blocks of the main queue keep their order among all others`() async throws {
    let report = try await withExploration(50, options: .reaching) { _ in
      DispatchQueue.global().async {}
      try await expectOrder(of: 4) { DispatchQueue.main.async(execute: $1) }
    }
    #expect(report.failure == nil)
  }

  @Test func `no block overtakes a barrier, and a barrier overtakes none`() async throws {
    let report = try await withExploration(200, options: .reaching) { _ in
      let queue = DispatchQueue(label: "wide", attributes: .concurrent)
      try await expectOrder(of: 3) {
        queue.async(flags: $0 == 1 ? .barrier : [], execute: $1)
      }
    }
    #expect(report.failure == nil)
  }

  @Test func `blocks, threads and what they wait for are the same when a seed runs again`()
    async throws
  {
    var logs: [[String]] = []
    for seed in UInt64(0)..<20 {
      for _ in 0..<2 {
        let log = Log<String>()
        try await withVirtualTime(.reaching, order: .seed(seed)) { _ in
          let all = DispatchGroup()
          let go = DispatchSemaphore(value: 0)
          for number in 0..<3 {
            DispatchQueue.global().async(group: all) {
              go.wait()
              log.mark("block \(number)")
            }
            all.enter()
            Thread {
              usleep(1_000)
              log.mark("thread \(number)")
              go.signal()
              all.leave()
            }.start()
          }
          await withCheckedContinuation { done in all.notify(queue: .main) { done.resume() } }
        }
        logs.append(log.entries)
      }
      #expect(logs[logs.count - 1] == logs[logs.count - 2], "seed \(seed)")
    }
    #expect(Set(logs).count > 10)
  }

  enum SourceEnd: CaseIterable { case isDropped, isCancelled, callsWhenCancelled }

  @Test(
    arguments: SourceEnd.allCases, [nil, DispatchQueue(label: "wide", attributes: .concurrent)])
  func `a source that is freed is no work of its scope`(end: SourceEnd, queue: DispatchQueue?)
    async throws
  {
    // libdispatch has a reference to it for a moment, now and then until after its last event.
    for _ in 0..<40 {
      let report = try await withExploration(1, options: .reaching) { _ in
        await withCheckedContinuation { done in
          let source = DispatchSource.makeUserDataAddSource(queue: queue)
          nonisolated(unsafe) var kept: (any DispatchSourceUserDataAdd)? = source
          source.setEventHandler {
            if end != .isDropped { kept?.cancel() }
            kept = nil
            if end != .callsWhenCancelled { done.resume() }
          }
          if end == .callsWhenCancelled { source.setCancelHandler { done.resume() } }
          source.resume()
          source.add(data: 1)
        }
        try await Task.sleep(for: .seconds(1))
      }
      #expect(report.failure == nil)
      #expect(report.firstDifference == nil)
    }
  }
}
