#if os(Linux)
  import EscapementTesting
  import Foundation
  import TestSupport
  import XCTest

  // Classes that override `invokeTest`, and classes of classes.

  private enum Context {
    @TaskLocal static var value = 0
  }

  /// What swift-concurrency-extras does: all tasks run on the main actor.
  private func withMainSerialExecutor(_ body: () -> Void) {
    typealias Original = @convention(thin) (UnownedJob) -> Void
    typealias Hook = @convention(thin) (UnownedJob, Original) -> Void
    let hook = dlsym(dlopen(nil, 0), "swift_task_enqueueGlobal_hook")!
      .assumingMemoryBound(to: Hook?.self)
    hook.pointee = { job, _ in MainActor.shared.enqueue(job) }
    defer { hook.pointee = nil }
    body()
  }

  class WithSetUpXCTests: VirtualTimeTestCase {
    private(set) var task: Task<Duration, any Error>?

    override func setUp() {
      task = Task {
        try await Task.sleep(for: .seconds(3_600))
        return try VirtualTime.required.now.offset
      }
    }

    func testATaskOfSetUpIsOfTheScope() async throws {
      let end = try await XCTUnwrap(task).value
      XCTAssertEqual(end, .seconds(3_600))
    }
  }

  final class InheritingXCTests: WithSetUpXCTests {
    private var isSetUp = false

    override var virtualTimeOptions: VirtualTimeOptions {
      VirtualTimeOptions(wallClockStart: Duration.seconds(86_400), leftovers: .ignore)
    }

    override func setUp() {
      super.setUp()
      isSetUp = true
    }

    func testBothClassesSetUp() async throws {
      XCTAssert(isSetUp)
      _ = try await XCTUnwrap(task).value
      XCTAssertEqual(Date().timeIntervalSince1970, 86_400 + 3_600)
    }
  }

  @MainActor final class OnMainActorXCTests: WithSetUpXCTests {
    private var count = 0

    func testSynchronous() {
      let event = expectation(description: "event")
      Task {
        try await Task.sleep(for: .seconds(1))
        count += 1
        event.fulfill()
      }
      waitForExpectations(timeout: 60)
      XCTAssertEqual(count, 1)
      task?.cancel()
    }

    func testAsynchronous() async throws {
      let other = Task {
        try await Task.sleep(for: .seconds(1))
        count += 1
      }
      try await other.value
      XCTAssertEqual(count, 1)
      task?.cancel()
    }
  }

  final class OverridingXCTests: WithSetUpXCTests {
    override func invokeTest() { Context.$value.withValue(7) { super.invokeTest() } }

    func testCodeSeesWhatTheClassSets() {
      XCTAssertEqual(Context.value, 7)
      XCTAssertNotNil(VirtualTime.current)
      task?.cancel()
    }
  }

  /// The hook is set outside of the scope.
  final class SerialXCTests: WithSetUpXCTests, @unchecked Sendable {
    // Sendable because the test stays on the main thread.

    override func invokeTest() { withMainSerialExecutor { super.invokeTest() } }

    func testExpectationsAreFulfilled() throws {
      let event = expectation(description: "event")
      Task {
        try await Task.sleep(for: .seconds(1))
        event.fulfill()
      }
      MainActor.assumeIsolated { waitForExpectations(timeout: 60) }
      XCTAssertEqual(try VirtualTime.required.now.offset, .seconds(1))
      task?.cancel()
    }
  }

  /// The hook is set inside of the scope, and the class does not derive from `VirtualTimeTestCase`.
  final class OneLineXCTests: XCTestCase {
    override func invokeTest() {
      invokeInVirtualTime { withMainSerialExecutor { super.invokeTest() } }
    }

    private var start = Duration.zero

    override func setUp() async throws {
      try await Task.sleep(for: .seconds(1))
      start = try VirtualTime.required.now.offset
    }

    func testSynchronous() throws {
      let event = expectation(description: "event")
      Task { event.fulfill() }
      wait(for: [event], timeout: 60)
      XCTAssertEqual(try VirtualTime.required.now.offset, .seconds(1))
    }

    func testAsynchronous() async throws {
      try await Task.sleep(for: .seconds(1))
      XCTAssertEqual(try VirtualTime.required.now.offset, .seconds(2))
      XCTAssertEqual(start, .seconds(1))
    }
  }

  /// The options of the outermost call count.
  final class TwiceXCTests: VirtualTimeTestCase {
    override var virtualTimeOptions: VirtualTimeOptions {
      VirtualTimeOptions(wallClockStart: Duration.zero)
    }

    override func invokeTest() {
      invokeInVirtualTime(VirtualTimeOptions(wallClockStart: Duration.seconds(7))) {
        super.invokeTest()
      }
    }

    func testThereIsOneScope() { XCTAssertEqual(Date().timeIntervalSince1970, 7) }
  }

  final class PlaceOfFailureXCTests: XCTestCase {
    private final class OneLine: FixtureTestCase {
      static let line = #line + 2
      override func invokeTest() {
        invokeInVirtualTime(options) { super.invokeTest() }
      }
    }

    func testAFailureOfTheScopeIsAtTheCall() {
      let test = OneLine(name: "test") { _ in Task { try await Task.sleep(for: .seconds(1)) } }
      test.invokeTest()
      XCTAssertEqual(test.failures.map(\.file), ["\(#filePath)"])
      XCTAssertEqual(test.failures.map(\.line), [OneLine.line])
    }
  }
#endif
