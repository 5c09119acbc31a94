// Time that moves only through the handle.

import EscapementVirtualTime
import Testing

@Test @MainActor
func `the counter counts seconds`() async throws {
  try await withVirtualTime(.manual) { time in
    let counter = Counter()
    let counting = Task(name: "counting") {
      while true {
        try await Task.sleep(for: .seconds(1))
        counter.count += 1
      }
    }
    await time.advance(by: .milliseconds(999))
    #expect(counter.count == 0)
    await time.advance(by: .milliseconds(1))
    #expect(counter.count == 1)
    await time.advance(by: .seconds(3599))
    #expect(counter.count == 3600)
    counting.cancel()
  }
}

@Test func `the next deadline and the sleepers can be read`() async throws {
  try await withVirtualTime(.manual) { time in
    let retry = Task(name: "retry") { try await Task.sleep(for: .seconds(4)) }
    await time.settle()
    #expect(time.nextDeadline == time.now.advanced(by: .seconds(4)))
    #expect(time.sleepers.map(\.taskName) == ["retry"])

    let moved = await time.advanceToNextDeadline()
    #expect(moved == .seconds(4))
    try await retry.value
  }
}

@Test func `the handle is a clock`() async throws {
  try await withVirtualTime { time in
    let clock: any Clock<Duration> = time
    let sleeping = Task { try await clock.sleep(for: .seconds(10)) }
    await time.advance(by: .seconds(10))
    #expect(time.sleepers.isEmpty)
    try await sleeping.value
  }
}

@MainActor
final class Counter {
  var count = 0
}
