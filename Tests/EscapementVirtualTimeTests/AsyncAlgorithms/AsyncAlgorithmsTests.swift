import AsyncAlgorithms
import EscapementVirtualTime
import TestSupport
import Testing

/// The operators of swift-async-algorithms that wait, with their default clocks.
@Suite(.virtualStandardClocks) struct AsyncAlgorithmsTests {
  /// Elements that arrive at these times, in milliseconds.
  private func elements(at milliseconds: [Int]) -> AsyncStream<Int> {
    AsyncStream { continuation in
      Task {
        let start = ContinuousClock.now
        for moment in milliseconds {
          try await Task.sleep(until: start + .milliseconds(moment))
          continuation.yield(moment)
        }
        continuation.finish()
      }
    }
  }

  private func seen<Elements: AsyncSequence & SendableMetatype>(
    _ time: VirtualTime, _ elements: Elements, first count: Int = .max
  ) async throws -> [String] {
    var seen: [String] = []
    for try await element in elements {
      seen.append("\(element) at \(time.now.offset / Duration.milliseconds(1))")
      if seen.count == count { break }
    }
    return seen
  }

  @Test func `debounce passes an element after an interval of silence`() async throws {
    try await withVirtualTime { time in
      let elements = elements(at: [0, 50, 149, 300, 401, 500])
      let seen = try await seen(time, elements.debounce(for: .milliseconds(100)))
      #expect(seen == ["149 at 249.0", "300 at 400.0", "500 at 500.0"])
    }
  }

  @Test func `throttle passes one element per interval`() async throws {
    try await withVirtualTime { time in
      let elements = elements(at: [0, 10, 99, 100, 150, 199, 200, 500])
      let seen = try await seen(time, elements._throttle(for: .milliseconds(100)))
      #expect(seen == ["0 at 0.0", "100 at 100.0", "200 at 200.0", "500 at 500.0"])
    }
  }

  @Test func `a timer fires at whole multiples of its interval`() async throws {
    try await withVirtualTime { time in
      let start = ContinuousClock.now
      var moments: [Duration] = []
      let timer = AsyncTimerSequence(interval: .nanoseconds(333_333_333), clock: .continuous)
      for await moment in timer {
        #expect(moment == .now)
        moments.append(start.duration(to: moment))
        if moments.count == 10 { break }
      }
      #expect(moments == (1...10).map { .nanoseconds($0 * 333_333_333) })
      #expect(time.now.offset == .nanoseconds(3_333_333_330))
    }
  }

  @Test func `a timer on the suspending clock fires at whole multiples as well`() async throws {
    try await withVirtualTime { time in
      let timer = AsyncTimerSequence(interval: .seconds(1), clock: .suspending)
      var count = 0
      for await _ in timer {
        count += 1
        #expect(time.now.offset == .seconds(count))
        if count == 5 { break }
      }
    }
  }

  @Test func `chunks end with each interval`() async throws {
    try await withVirtualTime { time in
      let elements = elements(at: [10, 20, 99, 101, 150, 420])
      let chunks = elements.chunked(by: .repeating(every: .milliseconds(100)))
      let seen = try await seen(time, chunks)
      #expect(
        seen == ["[10, 20, 99] at 100.0", "[101, 150] at 200.0", "[420] at 420.0"])
    }
  }

  @Test func `merged timers interleave, equal deadlines in the order of arming`() async throws {
    try await withVirtualTime { time in
      func timer(_ name: String, _ milliseconds: Int) -> some AsyncSequence<String, Never>
        & Sendable
      {
        AsyncTimerSequence.repeating(every: .milliseconds(milliseconds)).map { _ in name }
      }
      let seen = try await seen(time, merge(timer("a", 20), timer("b", 30)), first: 5)
      #expect(seen == ["a at 20.0", "b at 30.0", "a at 40.0", "b at 60.0", "a at 60.0"])
    }
  }

  @Test func `the operators accept the handle as their clock`() async throws {
    try await withVirtualTime { time in
      let elements = elements(at: [0, 50, 300])
      let seen = try await seen(time, elements.debounce(for: .milliseconds(100), clock: time))
      #expect(seen == ["50 at 150.0", "300 at 300.0"])
    }
  }
}
