#if os(Linux)
  import EscapementTesting
  import Foundation
  import TestSupport
  import XCTest

  /// A wait of a second in synchronous code.
  private enum SyncWait: CaseIterable {
    case usleep, threadSleep, runLoop, dateLoop, semaphore, semaphoreOfTask, group, block, mainBlock
    case task, mainActor, allExpectations, timer, timeout, thread

    func callAsFunction(_ test: XCTestCase) {
      let second = DispatchTime.now() + 1
      switch self {
      case .usleep: _ = Glibc.usleep(1_000_000)
      case .threadSleep: Thread.sleep(forTimeInterval: 1)
      case .runLoop: RunLoop.main.run(until: Date() + 1)
      case .dateLoop:
        let end = Date() + 1
        while Date() < end { _ = RunLoop.current.run(mode: .default, before: Date() + 0.01) }
      case .semaphore: _ = DispatchSemaphore(value: 0).wait(timeout: second)
      case .semaphoreOfTask:
        let semaphore = DispatchSemaphore(value: 0)
        Task {
          try await Task.sleep(for: .seconds(1))
          semaphore.signal()
        }
        semaphore.wait()
      case .group:
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) { Thread.sleep(forTimeInterval: 1) }
        group.wait()
      case .block:
        waiting(test) { event in
          DispatchQueue.global().asyncAfter(deadline: second) { event.fulfill() }
        }
      case .mainBlock:
        waiting(test) { event in
          DispatchQueue.main.asyncAfter(deadline: second) { event.fulfill() }
        }
      case .task:
        waiting(test) { event in
          Task {
            try await Task.sleep(for: .seconds(1))
            event.fulfill()
          }
        }
      case .mainActor:
        waiting(test) { event in
          Task { @MainActor in
            try await Task.sleep(for: .seconds(1))
            event.fulfill()
          }
        }
      case .allExpectations:
        let event = test.expectation(description: "event")
        DispatchQueue.main.asyncAfter(deadline: second) { event.fulfill() }
        nonisolated(unsafe) let test = test
        MainActor.assumeIsolated { test.waitForExpectations(timeout: 60) }
      case .timer:
        waiting(test) { event in
          _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in event.fulfill() }
        }
      case .timeout:
        let never = XCTestExpectation(description: "never")
        never.isInverted = true
        test.wait(for: [never], timeout: 1)
      case .thread:
        waiting(test) { event in
          Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 1)
            event.fulfill()
          }
        }
      }
    }

    private func waiting(_ test: XCTestCase, _ start: (XCTestExpectation) -> Void) {
      let event = test.expectation(description: "event")
      start(event)
      test.wait(for: [event], timeout: 60)
    }
  }

  /// A wait of a second in asynchronous code.
  private enum AsyncWait: CaseIterable {
    case sleep, sleepOfHandle, usleep, task, mainActor, block, mainBlock, timer, thread

    func callAsFunction(_ test: XCTestCase) async throws {
      let event = XCTestExpectation(description: "event")
      switch self {
      case .sleep: return try await Task.sleep(for: .seconds(1))
      case .sleepOfHandle: return try await VirtualTime.required.sleep(for: .seconds(1))
      case .usleep:
        _ = Glibc.usleep(1_000_000)
        return
      case .task:
        Task {
          try await Task.sleep(for: .seconds(1))
          event.fulfill()
        }
      case .mainActor:
        Task { @MainActor in
          try await Task.sleep(for: .seconds(1))
          event.fulfill()
        }
      case .block: DispatchQueue.global().asyncAfter(deadline: .now() + 1) { event.fulfill() }
      case .mainBlock: DispatchQueue.main.asyncAfter(deadline: .now() + 1) { event.fulfill() }
      case .timer: Task { @MainActor in addTimer(event) }
      case .thread:
        Thread.detachNewThread {
          Thread.sleep(forTimeInterval: 1)
          event.fulfill()
        }
      }
      await test.fulfillment(of: [event], timeout: 60)
    }

    private func addTimer(_ event: XCTestExpectation) {
      let timer = Timer(fire: Date() + 1, interval: 0, repeats: false) { _ in event.fulfill() }
      RunLoop.main.add(timer, forMode: .default)
    }
  }

  /// A test case that waits for a second in each of its phases, and notes when each has ended.
  private final class Phases: FixtureTestCase, @unchecked Sendable {
    // Sendable because one phase follows the other.

    var wait = SyncWait.usleep
    var asyncWait = AsyncWait.sleep

    override func setUp() async throws { try await waitAsync("async setUp") }

    override func setUpWithError() throws {
      addTeardownBlock { [self] in waitSync("block") }
      addTeardownBlock { [self] in try await waitAsync("async block") }
      waitSync("setUpWithError")
    }

    override func setUp() { waitSync("setUp") }
    override func tearDown() { waitSync("tearDown") }
    override func tearDownWithError() throws { waitSync("tearDownWithError") }
    override func tearDown() async throws { try await waitAsync("async tearDown") }

    func synchronous() { waitSync("test") }
    func throwing() throws { waitSync("test") }
    @MainActor func onMainActor() { waitSync("test") }
    func asynchronous() async throws { try await waitAsync("test") }
    @MainActor func asynchronousOnMainActor() async throws { try await waitAsync("test") }

    private func waitSync(_ phase: String) {
      XCTAssert(Thread.isMainThread)
      wait(self)
      note(phase)
    }

    private func waitAsync(_ phase: String) async throws {
      try await asyncWait(self)
      note(phase)
    }

    static let expected = [
      "async setUp", "setUpWithError", "setUp", "test", "async block", "block", "tearDown",
      "tearDownWithError", "async tearDown",
    ].enumerated().map { "\($1) at \($0 + 1).0" }

    static var tests: [(String, XCTestCaseClosure)] {
      [
        ("synchronous", { ($0 as! Phases).synchronous() }),
        ("throwing", { try ($0 as! Phases).throwing() }),
        (
          "onMainActor",
          { test in
            let phases = test as! Phases
            MainActor.assumeIsolated { phases.onMainActor() }
          }
        ),
        ("asynchronous", { try asyncTest(Phases.asynchronous)($0 as! Phases)() }),
        (
          "asynchronousOnMainActor",
          { try asyncTest(Phases.asynchronousOnMainActor)($0 as! Phases)() }
        ),
      ]
    }
  }

  /// Each form of `setUp`, test and `tearDown`, with each way to wait for a second.
  final class PhasesXCTests: XCTestCase {
    override func setUpWithError() throws { try skipUnlessQueuesAreVirtual() }

    func testEachPhaseTakesItsTimeInOneScope() {
      for wait in SyncWait.allCases { check("\(wait)") { $0.wait = wait } }
    }

    func testEachAsynchronousPhaseTakesItsTimeInOneScope() {
      for wait in AsyncWait.allCases { check("\(wait)") { $0.asyncWait = wait } }
    }

    /// Runs each form of test with one way to wait.
    private func check(_ wait: String, _ prepare: (Phases) -> Void) {
      for (name, test) in Phases.tests {
        let phases = Phases(name: name, testClosure: test)
        prepare(phases)
        phases.invokeTest()
        XCTAssertEqual(phases.notes, Phases.expected, "\(name), \(wait)")
        XCTAssertEqual(phases.failures, [], "\(name), \(wait)")
      }
    }
  }
#endif
