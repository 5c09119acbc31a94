import EscapementTesting
import Foundation
import TestSupport
import XCTest

/// Skips a test whose code sleeps or reads the time without an injected clock.
private func skipWithoutVirtualStandardClocks() throws {
  try XCTSkipUnless(
    VirtualTime.virtualizesStandardClocks, "The standard clocks are real on this platform.")
}

final class WithVirtualTimeXCTests: XCTestCase {
  func testADayTakesNoTime() async throws {
    try skipWithoutVirtualStandardClocks()
    try await withVirtualTime { time in
      let task = Task { try await Task.sleep(for: .seconds(86_400)) }
      await time.advance(by: .seconds(86_400))
      try await task.value
      XCTAssertEqual(time.now.offset, .seconds(86_400))
      XCTAssertEqual(Date(), Date(timeIntervalSince1970: 946_684_800 + 86_400))
    }
    XCTAssertNil(VirtualTime.current)
  }

  func testErrorsPassThrough() async throws {
    struct Failure: Error {}
    do {
      try await withVirtualTime { _ in throw Failure() }
      XCTFail("the error got lost")
    } catch is Failure {}
  }

  func testProblemsAreReportedAtTheCall() async throws {
    var line = 0
    let issues = try await issues {
      do {
        line = #line + 1
        try await withVirtualTime(VirtualTimeOptions(stallLimit: .milliseconds(20))) { _ in
          let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
          for await _ in stream {}
          withExtendedLifetime(continuation) {}
          try Task.checkCancellation()
        }
        XCTFail("a stuck body cannot succeed")
      } catch VirtualTimeError.limitReached {}
    }
    XCTAssertEqual(issues.map(\.line), [line])
    XCTAssertEqual(issues.map(\.isWarning), [false])
    XCTAssert(issues.first?.message.contains("is stuck at +0.0 seconds") == true)
  }

  func testLeftoversAreWarnedOf() async throws {
    let issues = try await issues {
      try await withVirtualTime { time in
        Task { try await time.sleep(for: .seconds(1)) }
        await time.settle()
      }
    }
    XCTAssertEqual(issues.map(\.isWarning), [true])
  }

  func testAWarningDoesNotFailTheTest() async throws {
    try await withVirtualTime { time in
      Task { try await time.sleep(for: .seconds(1)) }
      await time.settle()
    }
  }

  func testManyScopesSideBySide() async throws {
    try skipWithoutVirtualStandardClocks()
    try await withThrowingTaskGroup { group in
      for number in 1...32 {
        group.addTask {
          try await withVirtualTime { time in
            for _ in 0..<10 { try await Task.sleep(for: .seconds(number)) }
            XCTAssertEqual(time.now.offset, .seconds(10 * number))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

@MainActor final class WithVirtualTimeMainActorXCTests: XCTestCase {
  private var count = 0

  func testTheBodyRunsOnTheMainActor() async throws {
    try skipWithoutVirtualStandardClocks()
    try await withVirtualTime { time in
      MainActor.assertIsolated()
      let task = Task {
        for _ in 0..<5 {
          try await Task.sleep(for: .seconds(1))
          count += 1
        }
      }
      await time.advance(by: .seconds(1))
      XCTAssertEqual(count, 1)
      await time.advance(by: .seconds(4))
      XCTAssertEqual(count, 5)
      try await task.value
      MainActor.assertIsolated()
    }
  }
}
