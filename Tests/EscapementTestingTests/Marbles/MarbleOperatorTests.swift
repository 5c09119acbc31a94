import AsyncAlgorithms
import Escapement
import EscapementTesting
import TestSupport
import Testing

private let equalDeadlines: Comment = "An element and the operator are due at the same instant."

/// The operators of swift-async-algorithms, and of this package, in diagrams.
@Suite(.virtualTime(.init(leftovers: .ignore))) struct MarbleOperatorTests {
  private var clock: VirtualTime { get throws { try VirtualTime.required } }

  @Test(.plainOrder(because: equalDeadlines)) func `debounce passes the last element of a burst`()
    async throws
  {
    let keys = MarbleSequence("a-bc----d-|")
    try await expectMarbles(
      "-----c----(d|)", from: keys.debounce(for: .milliseconds(2), clock: clock))
  }

  @Test func `throttle passes one element per interval`() async throws {
    let keys = MarbleSequence("abcd--e|")
    try await expectMarbles(
      "a--d--e|", from: keys._throttle(for: .milliseconds(3), clock: clock))
  }

  @Test(.plainOrder(because: equalDeadlines)) func `merge interleaves`() async throws {
    try await expectMarbles(
      "a-(bx)-y-|", from: merge(MarbleSequence("a-b|"), MarbleSequence("--x-y-|")))
  }

  @Test func `a failure passes through map, and ends merge`() async throws {
    let failing = MarbleSequence("a-#", failure: MarbleError())
    try await expectMarbles("A-#", from: failing.map { $0.uppercased() })
    let other = MarbleSequence("-x-x-x|")
    try await expectMarbles("ax#", from: merge(failing, other))
    other.expectIterations("^-!")
  }

  @Test func `prefix asks for no more than it needs`() async throws {
    let source = MarbleSequence("a-b-c-d|")
    try await expectMarbles("a-(b|)", from: source.prefix(2))
    #expect(source.demandCount == 2)
    source.expectIterations("^-!")
  }

  @Test func `a timer ticks until it is cancelled`() async throws {
    let ticks = try clock.timer(interval: .milliseconds(2)).map { _ in "t" }
    try await expectMarbles("--t-t-t-t(!|)", from: ticks)
  }

  @Test func `a debouncer passes the last action of a burst`() async throws {
    let (output, continuation) = AsyncStream.makeStream(of: String.self)
    let debouncer = try Debouncer(delay: .milliseconds(3), clock: clock)
    let input = MarbleSequence("a-b-----c|")
    Task {
      for await key in input { debouncer.execute { continuation.yield(key) } }
    }
    try await expectMarbles("-----b-----c-", from: output)
  }

  @Test(.plainOrder(because: equalDeadlines))
  func `a rate limiter passes the first and the newest`() async throws {
    let (output, continuation) = AsyncStream.makeStream(of: String.self)
    let limiter = try RateLimiter(rate: .milliseconds(3), clock: clock)
    let input = MarbleSequence("abcd------e")
    Task {
      for await key in input { limiter.execute { continuation.yield(key) } }
    }
    try await expectMarbles("a--c--d---e-", from: output)
  }
}
