// Time that moves only through the handle.

import EscapementVirtualTime

// snippet.advance
@MainActor
func countsSeconds() async throws {
  try await withVirtualTime(.manual) { time in
    let counter = Counter()
    let counting = Task(name: "counting") {
      while true {
        try await Task.sleep(for: .seconds(1))
        counter.count += 1
      }
    }
    await time.advance(by: .milliseconds(999))
    assert(counter.count == 0)
    await time.advance(by: .milliseconds(1))
    assert(counter.count == 1)
    await time.advance(by: .seconds(3599))
    assert(counter.count == 3600)
    counting.cancel()
  }
}
// snippet.end

// snippet.look
func looksAround() async throws {
  try await withVirtualTime(.manual) { time in
    let retry = Task(name: "retry") { try await Task.sleep(for: .seconds(4)) }
    await time.settle()
    assert(time.nextDeadline == time.now.advanced(by: .seconds(4)))
    assert(time.sleepers.map(\.taskName) == ["retry"])

    let moved = await time.advanceToNextDeadline()
    assert(moved == .seconds(4))
    try await retry.value
  }
}
// snippet.end

// snippet.inject
func injectsTheHandle() async throws {
  try await withVirtualTime { time in
    let clock: any Clock<Duration> = time
    let sleeping = Task { try await clock.sleep(for: .seconds(10)) }
    await time.advance(by: .seconds(10))
    assert(time.sleepers.isEmpty)
    try await sleeping.value
  }
}
// snippet.end

// snippet.hide
@MainActor
final class Counter {
  var count = 0
}

try await countsSeconds()
try await looksAround()
try await injectsTheHandle()
