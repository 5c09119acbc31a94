import EscapementDoubles
import EscapementFoundation
import EscapementTesting
import Foundation
import TestSupport
import XCTest

/// Adds an invalid timer, which the scheduler reports at the line that created it.
private func misuse(_ scheduler: MockTimerScheduler) {
  let timer = Timer(after: 1) { _ in }
  timer.invalidate()
  scheduler.add(timer, forMode: .common)
}

final class WithDoublesXCTests: XCTestCase {
  func testAFailureOfAForeignThreadIsReportedWhenTheBodyEnds() async {
    var line = 0
    let reported = await issues {
      await withDoubles {
        line = #line + 1
        nonisolated(unsafe) let scheduler = MockTimerScheduler()
        let before = await issues { await Task.detached { misuse(scheduler) }.value }
        XCTAssertEqual(before.count, 0)
      }
    }
    XCTAssertEqual(reported.map(\.line), [line])
  }

  func testAFailureInATaskOfTheTestIsReportedAtOnce() async {
    let reported = await issues {
      await withDoubles {
        nonisolated(unsafe) let scheduler = MockTimerScheduler()
        let before = await issues { await Task { misuse(scheduler) }.value }
        XCTAssertEqual(before.count, 1)
      }
    }
    XCTAssertEqual(reported.count, 0, "the failure was reported a second time")
  }

  func testATestNeedNotBeAsynchronous() {
    let issues = issues { withDoubles { misuse(MockTimerScheduler()) } }
    XCTAssertEqual(issues.count, 1)
  }
}
