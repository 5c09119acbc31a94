import EscapementTesting
import XCTest

// How tests call 'withVirtualTime', compiled in each language mode: without 'self.', and with
// objects of the test that are not 'Sendable'.

private final class Counter {
  var count = 0

  func countAfterASecond(_ time: VirtualTime) async throws {
    try await time.sleep(for: .seconds(1))
    count += 1
  }
}

private func expectToTakeASecond(_ counter: Counter, _ time: VirtualTime) async throws {
  let start = time.now
  try await counter.countAfterASecond(time)
  XCTAssertEqual(start.duration(to: time.now), .seconds(1))
}

final class NonisolatedCallForms: XCTestCase {
  private let counter = Counter()
  private var finished = 0

  private func finish() async { finished += 1 }

  func testMembersOfTheTest() async throws {
    try await withVirtualTime { time in
      try await expectToTakeASecond(counter, time)
      await finish()
      finished += 1
    }
    XCTAssertEqual(counter.count, 1)
    XCTAssertEqual(finished, 2)
  }

  func testLocalsOfTheTest() async throws {
    let local = Counter()
    var ran = false
    try await withVirtualTime { time in
      try await expectToTakeASecond(local, time)
      local.count += 1
      ran = true
    }
    XCTAssertEqual(local.count, 2)
    XCTAssertTrue(ran)
  }

  func testResultsThatAreNotSendable() async throws {
    let made = try await withVirtualTime { _ in Counter() }
    made.count += 1
    XCTAssertEqual(made.count, 1)
  }

  func testArguments() async throws {
    try await count(Counter())
  }

  private func count(_ counter: Counter) async throws {
    try await withVirtualTime(VirtualTimeOptions(leftovers: .fail)) { time in
      try await expectToTakeASecond(counter, time)
    }
    XCTAssertEqual(counter.count, 1)
  }
}

@MainActor final class MainActorCallForms: XCTestCase {
  private let counter = Counter()
  private var finished = 0

  private func finish() async { finished += 1 }

  func testMembersOfTheTest() async throws {
    try await withVirtualTime { time in
      MainActor.assertIsolated()
      counter.count += 1
      finished += 1
      await finish()
      MainActor.assertIsolated()
    }
    XCTAssertEqual(counter.count, 1)
    XCTAssertEqual(finished, 2)
  }

  func testLocalsOfTheTest() async throws {
    let local = Counter()
    var ran = false
    try await withVirtualTime { time in
      local.count += 1
      try await time.sleep(for: .seconds(1))
      ran = true
    }
    local.count += 1
    XCTAssertEqual(local.count, 2)
    XCTAssertTrue(ran)
  }

  func testResultsThatAreNotSendable() async throws {
    let made = try await withVirtualTime { _ in Counter() }
    made.count += 1
    XCTAssertEqual(made.count, 1)
  }
}

final class ActorCallForms: XCTestCase {
  private actor Worker {
    private var count = 0
    private func work() async { count += 1 }

    func run() async throws -> Int {
      let local = Counter()
      try await withVirtualTime { time in
        await work()
        count += 1
        local.count += 1
      }
      return count
    }
  }

  func testMembersOfAnActor() async throws {
    let count = try await Worker().run()
    XCTAssertEqual(count, 2)
  }
}
