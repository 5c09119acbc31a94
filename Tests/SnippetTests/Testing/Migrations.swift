// Tests as they are after a migration from other tools.

import Dispatch
import EscapementTesting
import Testing
import XCTest

@MainActor
final class FeedModel {  // app code
  private(set) var isLoading = false
  private(set) var items: [String] = []

  func refresh() async {
    isLoading = true
    try? await Task.sleep(for: .seconds(2))
    items = ["first", "second"]
    isLoading = false
  }
}

@Test(.virtualTime) @MainActor
func `the model shows that it loads`() async throws {
  let model = FeedModel()
  let refresh = Task { await model.refresh() }
  await (try VirtualTime.required).settle()
  #expect(model.isLoading)
  await refresh.value
  #expect(!model.isLoading)
}

final class Uploader {  // app code
  func upload(_ done: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + 30, execute: done)
  }
}

final class UploaderTests: VirtualTimeTestCase {
  private var uploader: Uploader!

  override func setUp() { uploader = Uploader() }

  func testAnUploadEndsAfterThirtySeconds() {
    let ended = expectation(description: "ended")
    uploader.upload { ended.fulfill() }
    wait(for: [ended], timeout: 60)
    XCTAssertEqual(VirtualTime.current?.now.offset, .seconds(30))
  }

  func testAnUploadDoesNotEndBeforeThirtySeconds() {
    let ended = expectation(description: "ended")
    ended.isInverted = true
    uploader.upload { ended.fulfill() }
    wait(for: [ended], timeout: 29.9)
  }
}
