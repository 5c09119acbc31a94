#if os(Linux)
  import EscapementTesting
  import Foundation
  import TestSupport
  import XCTest

  private func skipWithoutVirtualQueues() async throws {
    // The first scope tries whether they can be virtual.
    try await withVirtualTime { _ in }
    try XCTSkipUnless(
      VirtualTime.virtualizesQueuesAndThreads, "Queues and threads are real on this platform.")
  }

  /// Queues and threads are virtual, and so are XCTest's own waits.
  private func withVirtualQueues(
    rounds: Int = 3, _ body: @escaping (VirtualTime) async throws -> Void
  ) async throws {
    try await skipWithoutVirtualQueues()
    for _ in 0..<rounds {
      try await withVirtualTime(VirtualTimeOptions(queuesAndThreads: .virtual)) { time in
        try await body(time)
      }
    }
  }

  /// XCTest computes with seconds as `Double`, and looks at the clock after each millisecond and a microsecond later.
  private func assertIsNow(
    _ expected: Duration, _ time: VirtualTime, file: StaticString = #filePath, line: UInt = #line
  ) {
    let offset = time.now.offset
    XCTAssert(
      offset == expected || offset == expected + .microseconds(1), "\(offset)", file: file,
      line: line)
  }

  /// What fulfils an expectation after half a second and a nanosecond.
  private enum Fulfiller: CaseIterable {
    case task, block, thread, mainActor

    static let delay = Duration.nanoseconds(500_000_001)

    func fulfil(_ expectation: XCTestExpectation) {
      switch self {
      case .task:
        Task {
          try await Task.sleep(for: Self.delay)
          expectation.fulfill()
        }
      case .block:
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(500_000_001)) {
          expectation.fulfill()
        }
      case .thread:
        Thread.detachNewThread {
          var delay = timespec(tv_sec: 0, tv_nsec: 500_000_001)
          nanosleep(&delay, nil)
          expectation.fulfill()
        }
      case .mainActor:
        Task { @MainActor in
          try await Task.sleep(for: Self.delay)
          expectation.fulfill()
        }
      }
    }
  }

  final class WaitingXCTests: XCTestCase {
    func testFulfillmentEndsAtTheInstantOfTheEvent() async throws {
      for fulfiller in Fulfiller.allCases {
        try await withVirtualQueues { [self] time in
          let expectation = expectation(description: "event")
          fulfiller.fulfil(expectation)
          await fulfillment(of: [expectation], timeout: 60)
          XCTAssertEqual(time.now.offset, Fulfiller.delay, "\(fulfiller)")
        }
      }
    }

    func testFulfillmentTimesOutAtItsInstant() async throws {
      try await withVirtualQueues { [self] time in
        let result = await XCTWaiter.fulfillment(
          of: [expectation(description: "never")], timeout: 0.3)
        XCTAssertEqual(result, .timedOut)
        assertIsNow(.milliseconds(300), time)
      }
    }

    func testAnInvertedExpectationTakesItsTime() async throws {
      try await withVirtualQueues { [self] time in
        let expectation = expectation(description: "never")
        expectation.isInverted = true
        await fulfillment(of: [expectation], timeout: 0.5)
        assertIsNow(.milliseconds(500), time)
      }
    }

    func testAnInvertedExpectationThatIsFulfilledEndsTheWait() async throws {
      try await withVirtualQueues { [self] time in
        let expectation = expectation(description: "event")
        expectation.isInverted = true
        Fulfiller.task.fulfil(expectation)
        let result = await XCTWaiter.fulfillment(of: [expectation], timeout: 60)
        XCTAssertEqual(result, .invertedFulfillment)
        XCTAssertEqual(time.now.offset, Fulfiller.delay)
      }
    }

    func testSeveralExpectationsAreFulfilledInTheirOrder() async throws {
      try await withVirtualQueues { [self] time in
        let expectations = (1...3).map { expectation(description: "\($0)") }
        for (expectation, seconds) in zip(expectations, 1...) {
          Task {
            try await Task.sleep(for: .milliseconds(100 * seconds))
            expectation.fulfill()
          }
        }
        await fulfillment(of: expectations, timeout: 60, enforceOrder: true)
        XCTAssertEqual(time.now.offset, .milliseconds(300))
      }
    }

    func testWaitsOfSeveralTasksGoOnSideBySide() async throws {
      try await withVirtualQueues { [self] time in
        let expectations = (1...3).map { expectation(description: "\($0)") }
        let log = Log<Duration>()
        let waits = expectations.map { expectation in
          Task {
            _ = await XCTWaiter.fulfillment(of: [expectation], timeout: 60)
            log.append(time.now.offset)
          }
        }
        for expectation in expectations {
          try await Task.sleep(for: .milliseconds(123))
          expectation.fulfill()
        }
        for wait in waits { await wait.value }
        XCTAssertEqual(log.entries, (1...3).map { .milliseconds(123 * $0) })
      }
    }

    func testAWaitThatBlocksItsThreadEndsAtTheInstantOfTheEvent() async throws {
      for fulfiller in [Fulfiller.task, .block, .thread] {
        try await withVirtualQueues { [self] time in
          let expectation = expectation(description: "event")
          fulfiller.fulfil(expectation)
          waitBlocking(for: expectation)
          XCTAssertEqual(time.now.offset, Fulfiller.delay, "\(fulfiller)")
        }
      }
    }

    // Where the compiler allows it.
    private func waitBlocking(for expectation: XCTestExpectation) {
      wait(for: [expectation], timeout: 60)
    }
  }

  @MainActor final class WaitingOnMainActorXCTests: XCTestCase {
    func testFulfillmentOnTheMainActor() async throws {
      try await skipWithoutVirtualQueues()
      for fulfiller in Fulfiller.allCases {
        try await withVirtualTime(VirtualTimeOptions(queuesAndThreads: .virtual)) { time in
          let expectation = expectation(description: "event")
          fulfiller.fulfil(expectation)
          await fulfillment(of: [expectation], timeout: 60)
          XCTAssertEqual(time.now.offset, Fulfiller.delay, "\(fulfiller)")
        }
      }
    }

    func testAWaitThatBlocksTheMainActor() async throws {
      try await skipWithoutVirtualQueues()
      for fulfiller in [Fulfiller.task, .block, .thread] {
        try await withVirtualTime(VirtualTimeOptions(queuesAndThreads: .virtual)) { time in
          let expectation = expectation(description: "event")
          fulfiller.fulfil(expectation)
          waitBlocking(for: expectation)
          XCTAssertEqual(time.now.offset, Fulfiller.delay, "\(fulfiller)")
        }
      }
    }

    func testWaitForExpectations() async throws {
      try await skipWithoutVirtualQueues()
      try await withVirtualTime(VirtualTimeOptions(queuesAndThreads: .virtual)) { time in
        Fulfiller.task.fulfil(expectation(description: "event"))
        waitForAll()
        XCTAssertEqual(time.now.offset, Fulfiller.delay)
      }
    }

    private func waitForAll() { waitForExpectations(timeout: 60) }

    func testAPredicateIsPolledInVirtualTime() async throws {
      try await skipWithoutVirtualQueues()
      try await withVirtualTime(VirtualTimeOptions(queuesAndThreads: .virtual)) { time in
        let predicate = NSPredicate { _, _ in time.now.offset >= .milliseconds(55) }
        waitBlocking(for: expectation(for: predicate))
        let offset = time.now.offset / .milliseconds(1)
        XCTAssert((59.9...60.1).contains(offset), "\(offset)")
      }
    }

    func testTheMainRunLoopRunsInVirtualTime() async throws {
      try await skipWithoutVirtualQueues()
      try await withVirtualTime(VirtualTimeOptions(queuesAndThreads: .virtual)) { time in
        let log = Log<String>()
        Task.detached {
          try await Task.sleep(for: .milliseconds(30))
          log.append("task at \(time.now.offset)")
        }
        runMainLoop(for: 0.05) { log.append("timer") }
        XCTAssertEqual(log.entries, ["timer", "task at 0.03 seconds", "timer"])
        let offset = time.now.offset / .milliseconds(1)
        XCTAssert((50...50.002).contains(offset), "\(offset)")
      }
    }

    private func runMainLoop(for seconds: Double, _ tick: @escaping @Sendable () -> Void) {
      let timer = Timer(fire: Date() + 0.02, interval: 0.02, repeats: true) { _ in tick() }
      RunLoop.main.add(timer, forMode: .default)
      RunLoop.main.run(until: Date() + seconds)
      timer.invalidate()
    }

    private func waitBlocking(for expectation: XCTestExpectation) {
      wait(for: [expectation], timeout: 60)
    }
  }
#endif
