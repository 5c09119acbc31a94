#if os(Linux)
  import EscapementTesting
  import Foundation
  import TestSupport
  import XCTest

  private struct TestError: Error {}

  private func never() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  /// Throws in the phase that has this name.
  private final class Throwing: FixtureTestCase, @unchecked Sendable {
    // Sendable because one phase follows the other.

    var phase = ""
    var error: any Error = TestError()

    override func setUp() async throws { try throwIn("async setUp") }
    override func setUpWithError() throws {
      addTeardownBlock { [self] in try throwIn("block") }
      try throwIn("setUpWithError")
    }
    override func tearDownWithError() throws { try throwIn("tearDownWithError") }
    override func tearDown() async throws {
      try await Task.sleep(for: .seconds(1))
      try throwIn("async tearDown")
    }

    private func throwIn(_ phase: String) throws {
      note(phase)
      if phase == self.phase { throw error }
    }

    static func run(
      in phase: String, _ error: any Error = TestError(), isAsynchronous: Bool = false
    ) -> Throwing {
      let test = Throwing(name: "test") { test in
        let test = test as! Throwing
        guard isAsynchronous else { return try test.throwIn("test") }
        return try asyncTest { (test: Throwing) in { try test.throwIn("test") } }(test)()
      }
      test.phase = phase
      test.error = error
      test.invokeTest()
      return test
    }
  }

  final class VirtualTimeTestCaseXCTests: XCTestCase {
    override func setUpWithError() throws { try skipUnlessQueuesAreVirtual() }

    // MARK: Errors

    private let phases = [
      "async setUp", "setUpWithError", "test", "block", "tearDownWithError", "async tearDown",
    ]

    func testAnErrorOfEachPhaseIsRecordedOnceAndTheOtherPhasesRun() {
      for phase in phases {
        for isAsynchronous in [false, true] {
          let test = Throwing.run(in: phase, isAsynchronous: isAsynchronous)
          XCTAssertEqual(test.failures.map(\.message), [#"threw error "TestError()""#], phase)
          XCTAssertEqual(test.notes.last, "async tearDown at 1.0", phase)
          let skipsTest = phase.contains("setUp")
          XCTAssertEqual(test.notes.contains("test at 0.0"), !skipsTest, phase)
        }
      }
    }

    func testATestThatIsSkippedFailsNothing() {
      for phase in phases.prefix(3) {
        let test = Throwing.run(in: phase, XCTSkip())
        XCTAssertEqual(test.failures, [], phase)
        XCTAssertEqual(test.notes.last, "async tearDown at 1.0", phase)
      }
    }

    func testAnAssertionAnErrorAndAProblemFailTheirTestsAndNoOther() async throws {
      let process = try await ProcessOfItsOwn(
        runningXCTest: "XCTestIntegrationTests.FailingXCTests")
      for failure in [
        "FailingXCTests.testAssertion : XCTAssertEqual failed",
        #"FailingXCTests.testError : threw error "TestError()""#,
        "<EXPR>:0: error: FailingXCTests.testStuck : The virtual-time scope is stuck at +0.0 seconds",
        "FailingXCTests.testSkip : Test skipped",
      ] {
        XCTAssertEqual(process.count(of: failure), 1, "\(failure): \(process.output)")
      }
      XCTAssert(process.output.contains("5 tests, with 1 test skipped and 3 failures"))
    }

    // MARK: Problems

    private func invoke(
      _ options: VirtualTimeOptions, _ test: @escaping (FixtureTestCase) async throws -> Void
    ) -> FixtureTestCase {
      let fixture = FixtureTestCase(name: "test") { fixture in
        try asyncTest { (fixture: FixtureTestCase) in { try await test(fixture) } }(
          fixture as! FixtureTestCase)()
      }
      fixture.options = options
      fixture.invokeTest()
      return fixture
    }

    private let impatient = VirtualTimeOptions(
      leftovers: .fail, stallLimit: .milliseconds(20), blockLimit: .milliseconds(100))

    func testAStuckMethodIsCancelledAndReportedWithItsPlace() throws {
      let test = invoke(impatient) { test in
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        test.note("cancelled: \(Task.isCancelled)")
      }
      XCTAssertEqual(test.notes, ["cancelled: true at 0.0"])
      XCTAssertEqual(test.failures.count, 1)
      let message = try XCTUnwrap(test.failures.first?.message)
      XCTAssert(message.contains("is stuck at +0.0 seconds"), message)
      XCTAssert(message.contains("The body waits in "), message)
      XCTAssert(message.contains("VirtualTimeTestCaseXCTests.swift"), message)
      XCTAssertFalse(message.contains("These threads"), message)
    }

    func testAMethodThatDoesNotEndIsGivenUpAndTheNextOneIsRight() {
      let stuck = invoke(impatient) { _ in await never() }
      XCTAssertEqual(stuck.failures.count, 1)
      let next = invoke(impatient) { test in
        try await Task.sleep(for: .seconds(86_400 * 365))
        test.note("end")
      }
      XCTAssertEqual(next.notes, ["end at 31536000.0"])
      XCTAssertEqual(next.failures, [])
    }

    func testASynchronousTestThatIsStuckIsReportedWithItsPlace() throws {
      let test = FixtureTestCase(name: "test") { _ in DispatchSemaphore(value: 0).wait() }
      test.options = impatient
      test.invokeTest()
      XCTAssertEqual(test.failures.count, 1)
      let message = try XCTUnwrap(test.failures.first?.message)
      XCTAssert(message.contains("is stuck at +0.0 seconds"), message)
      if isUnderThreadSanitizer { return }
      XCTAssert(message.contains("VirtualTimeTestCaseXCTests.swift"), message)
    }

    func testATestThatBlocksTheMainThreadIsReportedAndTheMainActorGoesOn() throws {
      let test = FixtureTestCase(name: "test") { _ in
        let end = clock() + 1_000_000
        while clock() < end {}
      }
      test.options = impatient
      test.invokeTest()
      XCTAssertEqual(test.failures.count, 1)
      let message = try XCTUnwrap(test.failures.first?.message)
      XCTAssert(message.contains("is blocked at +0.0 seconds"), message)
      let next = invoke(VirtualTimeOptions()) { test in
        await MainActor.run { XCTAssert(Thread.isMainThread) }
      }
      XCTAssertEqual(next.failures, [])
    }

    func testALeftoverTaskIsReported() throws {
      let test = FixtureTestCase(name: "test") { _ in
        Task { try await Task.sleep(for: .seconds(1)) }
      }
      test.invokeTest()
      let message = try XCTUnwrap(test.failures.first?.message)
      XCTAssert(message.contains("1 task was left over"), message)
    }

    func testAnInvalidOptionFailsTheTestWhichIsNotRun() {
      let test = FixtureTestCase(name: "test") { ($0 as! FixtureTestCase).note("test") }
      test.options.jobLimit = 0
      test.invokeTest()
      XCTAssertEqual(test.failures.count, 1)
      XCTAssertEqual(test.notes, [])
    }

    // MARK: Clocks

    func testTheWallClockStartsWhereTheOptionSays() {
      let test = FixtureTestCase(name: "test") { _ in
        XCTAssertEqual(Date().timeIntervalSince1970, 1_735_689_599)
      }
      test.options.wallClockStart = Duration.seconds(1_735_689_599)
      test.invokeTest()
    }

    func testTimeEndsWithTheTest() {
      FixtureTestCase(name: "test") { _ in XCTAssertNotNil(VirtualTime.current) }.invokeTest()
      XCTAssertNil(VirtualTime.current)
      XCTAssertGreaterThan(Date(), Date(timeIntervalSince1970: 1_700_000_000))
    }

    func testASleepOfTheTestEndsAfterOthersOfTheSameInstant() {
      let log = Log<Int>()
      let test = invoke(VirtualTimeOptions()) { _ in
        for number in 1...3 {
          Task {
            try await Task.sleep(for: .seconds(1))
            log.append(number)
          }
        }
        try await Task.sleep(for: .seconds(1))
        log.append(0)
      }
      XCTAssertEqual(Set(log.entries.prefix(3)), [1, 2, 3])
      XCTAssertEqual(log.entries.last, 0)
      XCTAssertEqual(test.failures, [])
    }

    // MARK: Queues that are real

    func testAsynchronousCodeIsVirtualBesideRealQueues() {
      let test = invoke(VirtualTimeOptions(queuesAndThreads: .real)) { test in
        try await Task.sleep(for: .seconds(86_400))
        test.note("end")
      }
      XCTAssertEqual(test.notes, ["end at 86400.0"])
    }

    func testASynchronousTestWaitsForTasksBesideRealQueues() {
      for onMainActor in [false, true] {
        let test = FixtureTestCase(name: "test") { test in
          let event = test.expectation(description: "event")
          let start = Date()
          if onMainActor {
            Task { @MainActor in
              try await Task.sleep(for: .seconds(86_400))
              event.fulfill()
            }
          } else {
            Task {
              try await Task.sleep(for: .seconds(86_400))
              event.fulfill()
            }
          }
          test.wait(for: [event], timeout: 100_000)
          XCTAssertGreaterThanOrEqual(Date().timeIntervalSince(start), 86_400)
        }
        test.options.queuesAndThreads = .real
        test.invokeTest()
        XCTAssertEqual(test.failures, [])
      }
    }

    func testAStuckMethodIsReportedBesideRealQueues() {
      var options = impatient
      options.queuesAndThreads = .real
      XCTAssertEqual(invoke(options) { _ in await never() }.failures.count, 1)
    }
  }

  /// Fail, and are run only in a process of their own.
  final class FailingXCTests: VirtualTimeTestCase {
    override var virtualTimeOptions: VirtualTimeOptions {
      VirtualTimeOptions(stallLimit: .milliseconds(20))
    }

    override func setUpWithError() throws {
      try XCTSkipUnless(ProcessOfItsOwn.isThis, "Run by another test.")
    }

    func testAssertion() async { XCTAssertEqual(1, 2) }
    func testError() throws { throw TestError() }
    func testSkip() async throws { throw XCTSkip() }
    func testStuck() async { await never() }
    func testSuccess() { XCTAssertNotNil(VirtualTime.current) }
  }
#endif
