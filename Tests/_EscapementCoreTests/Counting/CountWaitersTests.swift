import TestSupport
import Testing
import _EscapementCore

@Suite struct CountWaitersTests {
  @Test func `every wait ends exactly once, at its number or when it is cancelled`() {
    // Every sequence of up to six events, with waits for one, two and three.
    let exploration = Exploration(from: Model(), length: 6, events: \.events) {
      event, model, _ in model.apply(event)
    }
    #expect(exploration.sequences > 10_000)
  }

  @Test func `a number that the count has reached needs no wait`() {
    var waiters = CountWaiters()
    let tokens = [1, 2, 3].map { waiters.arm(until: $0, count: 2) }
    #expect(tokens.map { $0 != nil } == [false, false, true])
  }

  @Test func `all waits for the same number end together`() {
    var waiters = CountWaiters()
    for _ in 1...3 { _ = waiters.arm(until: 2, count: 0) }
    let counts = (1...3).map { waiters.removeAll(reachedBy: $0).count }
    #expect(counts == [0, 3, 0])
  }

  @Test func `a continuation is refused when the wait has ended`() async throws {
    var waiters = CountWaiters()
    let armed = waiters.arm(until: 1, count: 0)
    let token = try #require(armed)
    _ = waiters.removeAll(reachedBy: 1)
    var isKept = true
    try await withUnsafeThrowingContinuation { continuation in
      isKept = waiters.suspend(token, continuation)
      continuation.resume()
    }
    #expect(!isKept)
  }

  private enum Event { case increment, arm(Int), cancel(Int) }

  private struct Model {
    var waiters = CountWaiters()
    var count = 0
    /// The tokens of the open waits, by number.
    var open: [Int: TimerToken] = [:]
    var ended: [TimerToken] = []

    var events: [Event] { [.increment] + (1...3).flatMap { [.arm($0), .cancel($0)] } }

    mutating func apply(_ event: Event) {
      switch event {
      case .increment:
        count += 1
        let reached = open.filter { $0.key <= count }
        #expect(waiters.removeAll(reachedBy: count).count == reached.count)
        for (number, token) in reached {
          open[number] = nil
          ended.append(token)
        }
      case .arm(let number):
        guard open[number] == nil else { return }
        let token = waiters.arm(until: number, count: count)
        #expect((token == nil) == (number <= count))
        open[number] = token
      case .cancel(let number):
        guard let token = open.removeValue(forKey: number) else { return }
        #expect(waiters.cancel(token) != nil)
        ended.append(token)
      }
      // A wait that has ended cannot be cancelled.
      for token in ended { #expect(waiters.cancel(token) == nil) }
    }
  }
}
