import Dispatch
import Testing
import _EscapementCore

@testable import EscapementDoubles

private let (threads, callsOfEach) = (8, 2_000)

@Suite struct SpyHammerTests {
  @Test func `each call by many threads is recorded once and takes one answer`() async throws {
    let log = CallLog()
    let spy = Spy<Int, Int, any Error>("f", log: log)
    spy.answer((0..<threads * callsOfEach).map { .returns($0) })
    let results = Lock<[Int]>([])
    hammer { number in
      let result = try? spy(number)
      results.withLock { $0.append(result ?? -1) }
    }
    let all = Array(0..<threads * callsOfEach)
    #expect(spy.calls.sorted() == all)
    #expect(results.withLock { $0 }.sorted() == all)
    #expect(log.calls.count == all.count)
    // The calls of one thread keep their order.
    for thread in 0..<threads {
      let own = spy.calls.filter { $0 % threads == thread }
      #expect(own == own.sorted())
    }
  }

  @Test func `waiting tasks are resumed, and cancelled tasks throw`() async throws {
    let spy = Spy<Int, Void, Never>("f")
    let waiting = (0..<500).map { index in
      let count = 1 + index * 7919 % (threads * callsOfEach)
      return (isCancelled: index % 3 == 0, task: Task { try await spy.wait(forCallCount: count) })
    }
    async let calls: Void = Task.detached { call(spy) }.value
    for (isCancelled, task) in waiting where isCancelled { task.cancel() }
    await calls
    for (isCancelled, task) in waiting {
      switch await task.result {
      case .success: break
      case .failure(let error): #expect(isCancelled && error is CancellationError, "\(error)")
      }
    }
  }
}

private func call(_ spy: Spy<Int, Void, Never>) {
  hammer { spy($0) }
}

private func hammer(_ call: @escaping @Sendable (Int) -> Void) {
  DispatchQueue.concurrentPerform(iterations: threads) { thread in
    for number in 0..<callsOfEach { call(number * threads + thread) }
  }
}
