import EscapementTesting
import TestSupport
import XCTest

/// What `setUp()` makes is outside of the scope of a test method.
final class FixtureXCTests: XCTestCase {
  private var task: Task<Void, any Error>?

  override func setUp() { task = Task { try await Task.sleep(for: .seconds(3_600)) } }
  override func tearDown() { task?.cancel() }

  func testAStuckScopeNamesATaskOfSetUp() async throws {
    try XCTSkipUnless(
      VirtualTime.virtualizesStandardClocks, "Which scope a task belongs to is not seen.")
    let task = try XCTUnwrap(task)
    let issues = await issues {
      do {
        try await withVirtualTime(VirtualTimeOptions(stallLimit: .milliseconds(20))) { _ in
          try await withTaskCancellationHandler {
            try await task.value
          } onCancel: {
            task.cancel()
          }
        }
        XCTFail("a stuck body cannot succeed")
      } catch {}
    }
    let message = try XCTUnwrap(issues.first?.message)
    XCTAssert(message.contains("The body waits for the value of task"), message)
    XCTAssert(message.contains("made outside of the scope, before it, as in 'setUp()'"), message)
  }

  func testAStuckScopeNamesATaskOfSetUpForWhichAnotherTaskWaits() async throws {
    try XCTSkipUnless(
      VirtualTime.virtualizesStandardClocks, "Which scope a task belongs to is not seen.")
    let task = try XCTUnwrap(task)
    let issues = await issues {
      do {
        try await withVirtualTime(VirtualTimeOptions(stallLimit: .milliseconds(20))) { _ in
          let other = Task { try await task.value }
          try await withTaskCancellationHandler {
            try await other.value
          } onCancel: {
            task.cancel()
          }
        }
        XCTFail("a stuck body cannot succeed")
      } catch {}
    }
    let message = try XCTUnwrap(issues.first?.message)
    XCTAssert(message.contains("which waits for the value of task"), message)
    XCTAssert(message.contains("made outside of the scope, before it, as in 'setUp()'"), message)
  }
}
