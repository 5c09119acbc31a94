import EscapementDoubles
import EscapementFoundation
import EscapementTesting
import Foundation
import IssueReporting
import XCTest

/// Adds an invalid timer, which the scheduler reports at the line that created it.
private func misuse(_ scheduler: MockTimerScheduler) {
  let timer = Timer(after: 1) { _ in }
  timer.invalidate()
  scheduler.add(timer, forMode: .common)
}

final class WithDoublesXCTests: XCTestCase {
  func testAFailureOfAForeignThreadIsReportedWhenTheBodyEnds() async {
    let recorder = Recorder()
    var line: UInt = 0
    await withIssueReporters([recorder]) {
      await withDoubles {
        line = #line + 1
        nonisolated(unsafe) let scheduler = MockTimerScheduler()
        await Task.detached { misuse(scheduler) }.value
        XCTAssertEqual(recorder.issues.map(\.line), [])
      }
    }
    XCTAssertEqual(recorder.issues.map(\.line), [line])
  }

  func testAFailureInATaskOfTheTestIsReportedAtOnce() async {
    let recorder = Recorder()
    await withIssueReporters([recorder]) {
      await withDoubles {
        nonisolated(unsafe) let scheduler = MockTimerScheduler()
        await Task { misuse(scheduler) }.value
        XCTAssertEqual(recorder.issues.count, 1)
      }
    }
    XCTAssertEqual(recorder.issues.count, 1)
  }

  func testATestNeedNotBeAsynchronous() {
    let recorder = Recorder()
    withIssueReporters([recorder]) {
      withDoubles { misuse(MockTimerScheduler()) }
    }
    XCTAssertEqual(recorder.issues.count, 1)
  }
}
