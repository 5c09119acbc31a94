import EscapementTesting
import TestSupport
import Testing

@Suite(.virtualTime) struct ExpectMarblesTests {
  private struct Offline: Error, Equatable { var code = 1 }
  private struct Vague: Error {}

  /// The message of the only failure, without its last paragraph.
  private func failure(
    _ diagram: String, from source: MarbleSequence<String, some Error>, pause: Duration = .zero
  ) async throws -> String {
    let reported = try await issues {
      let isRight = try await expectMarbles(diagram, from: source, pause: pause)
      #expect(!isRight)
    }
    #expect(reported.count == 1)
    let message = reported.first?.message ?? ""
    #expect(
      message.hasSuffix("\nA symbol takes 1ms. If the actual line is right, copy it into the test.")
    )
    return message.components("\n\nA symbol")[0]
  }

  @Test(arguments: [
    "a-b|", "a", "-", "(ab)c(d|)", "a 9ms b|", "a#", "(a#)", "|", "#", "(a 2us b)-(c 3ns d)|",
    " 300d a|",
  ])
  func `a source does what its diagram draws`(diagram: String) async throws {
    let source = MarbleSequence(diagram, failure: MarbleError())
    #expect(try await expectMarbles(diagram, from: source))
  }

  @Test func `the function returns at the end, or at the end of the diagram`() async throws {
    let time = try VirtualTime.required
    try await expectMarbles("a-b|", from: MarbleSequence("a-b|"))
    #expect(time.now.offset == .milliseconds(3))
    try await expectMarbles("a-b--", from: MarbleSequence("a-b---c"))
    #expect(time.now.offset == .milliseconds(8))
  }

  @Test func `what happens at the end of the diagram is not checked, and one nanosecond before is`()
    async throws
  {
    try await expectMarbles("a-", from: MarbleSequence("a-b"))
    let message = try await failure("a-", from: MarbleSequence("(a 1999999ns b)"))
    #expect(message.contains("differs from its diagram at +1999999ns: expected nothing, got b"))
  }

  @Test(arguments: [
    ("a-b-c|", "a-b--c|", "+4ms: expected c, got nothing until c at +5ms", 5),
    ("a-b-c|", "a-bc|", "+3ms: expected nothing until c at +4ms, got c", 4),
    ("a-b|", "a-c|", "+2ms: expected b, got c", 3),
    ("a-b|", "a-b-|", "+3ms: expected the end, got nothing until the end at +4ms", 4),
    ("a-b--", "a-b|", "+3ms: expected nothing, got the end", 4),
    ("a-b", "a", "+2ms: expected b, got nothing up to +13ms", 3),
    ("a-b-c", "a-b|", "+3ms: expected nothing until c at +4ms, got the end", 4),
    ("a-b|", "a-b#", "+3ms: expected the end, got a failure", 4),
    ("-(abc)|", "-(abd)|", "+1ms: expected c, got d", 5),
    ("(ab)|", "(abc)|", "+0ms: expected nothing until the end at +1ms, got c", 1),
    ("a 20ms b|", "a 12ms b|", "+13ms: expected nothing until b at +21ms, got b", 3),
  ])
  func `a failure points at the first difference`(
    diagram: String, actual: String, sentence: String, column: Int
  ) async throws {
    let source = MarbleSequence(actual, failure: MarbleError())
    let message = try await failure(diagram, from: source)
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "The sequence differs from its diagram at \(sentence).")
    #expect(lines[2] == "  expected  \(diagram)")
    #expect(lines[3].hasPrefix("  actual    "))
    #expect(lines[4].hasPrefix(String(repeating: " ", count: 12 + column - 1) + "^ +"))
  }

  @Test func `the whole message of a failure`() async throws {
    let source = MarbleSequence("a--b-(cd)|")
    var line = 0
    let reported = try await issues {
      line = #line + 1
      try await expectMarbles("a--b--c-|", from: source)
    }
    #expect(reported.map(\.line) == [line])
    #expect(reported.map(\.isWarning) == [false])
    #expect(
      reported.first?.message == """
        The sequence differs from its diagram at +5ms: expected nothing until c at +6ms, got c.

          expected  a--b--c-|
          actual    a--b-(cd)|
                         ^ +5ms, column 6

        A symbol takes 1ms. If the actual line is right, copy it into the test.
        """)
  }

  @Test func `values are compared, and an unknown one gets a letter`() async throws {
    let source = MarbleSequence("a-b-c|", values: ["a": 1, "b": 2, "c": 17])
    let reported = try await issues {
      try await expectMarbles("x-y-A|", from: source, values: ["x": 1, "y": 2, "A": 3])
    }
    #expect(reported.first?.message.contains("+4ms: expected A, got B (17).") == true)
    #expect(reported.first?.message.contains("  actual    x-y-B|\n") == true)
    #expect(reported.first?.message.contains("\n  B is 17\n") == true)
  }

  @Test func `a failure is compared as well`() async throws {
    let source = MarbleSequence("a#", failure: Offline())
    try await expectMarbles("a#", from: source, failure: Offline())
    let reported = try await issues {
      try await expectMarbles("a#", from: source, failure: Offline(code: 2))
      try await expectMarbles("a#", from: source)
    }
    #expect(reported.count == 2)
    #expect(reported.first?.message.contains("Offline(code: 1), and not ") == true)
    try await expectMarbles("#", from: MarbleSequence("#", failure: Vague()), failure: Vague())
    try await expectMarbles(
      "#", from: MarbleSequence("#", failure: CancellationError()), failure: CancellationError())
  }

  @Test func `an exclamation mark cancels the consumer when the work of the instant is done`()
    async throws
  {
    let source = MarbleSequence("a-b-c-d|")
    try await expectMarbles("a-b-(c!|)", from: source)
    source.expectIterations("^---!")
    try await expectMarbles("a(!|)", from: source)
  }

  @Test(.virtualTime(.init(leftovers: .ignore)))
  func `a sequence that goes on after its cancellation differs`() async throws {
    struct Stubborn: AsyncSequence, AsyncIteratorProtocol {
      var count = 0
      func makeAsyncIterator() -> Stubborn { self }
      mutating func next() async -> String? {
        count += 1
        // A task of its own is not cancelled.
        await Task { try? await VirtualTime.current?.sleep(for: .milliseconds(2)) }.value
        return count <= 5 ? "a" : nil
      }
    }
    try await expectMarbles("--a-(a!)-a-a-", from: Stubborn())
    let reported = try await issues { try await expectMarbles("--a-(!|)", from: Stubborn()) }
    #expect(reported.first?.message.contains("+4ms: expected the cancellation, got a") == true)
  }

  @Test func `a consumer that takes time for each element`() async throws {
    try await expectMarbles(
      "a--b--c--|", from: MarbleSequence("abc|"), pause: .milliseconds(3))
    try await expectMarbles(
      "a---b---c---|", from: MarbleSequence("abc|", demand: .onDemand), pause: .milliseconds(3))
  }

  @Test(.virtualTime(.init(mode: .manual))) func `in manual mode the function moves time`()
    async throws
  {
    let time = try VirtualTime.required
    try await expectMarbles("a-(!|)", from: MarbleSequence("a----b|"))
    try await expectMarbles("-a|", from: MarbleSequence("-a|"))
    #expect(time.now.offset == .milliseconds(4))
    #expect(try await expectNothing(from: MarbleSequence("--a"), for: .milliseconds(2)))
  }

  @Test @MainActor func `a sequence that is not Sendable is consumed on the caller's actor`()
    async throws
  {
    final class Counter: AsyncSequence, AsyncIteratorProtocol {
      var count = 0
      func makeAsyncIterator() -> Counter { self }
      func next() async -> Int? { await next(isolation: #isolation) }
      func next(isolation actor: isolated (any Actor)?) async -> Int? {
        MainActor.preconditionIsolated()
        count += 1
        return count < 3 ? count : nil
      }
    }
    let counter = Counter()
    try await expectMarbles("(12|)", from: counter, values: ["1": 1, "2": 2])
    #expect(counter.count == 3)
  }

  @Test(arguments: [("a-)", "column 3"), ("^a|", "column 1"), ("ab|", "'b' has no value")])
  func `a diagram that is not valid fails the test, and nothing is iterated`(
    diagram: String, reason: String
  ) async throws {
    let source = MarbleSequence("a|", values: ["a": 1])
    var line = 0
    let reported = try await issues {
      line = #line + 1
      let isRight = try await expectMarbles(diagram, from: source, values: ["a": 1])
      #expect(!isRight)
    }
    #expect(reported.map(\.line) == [line])
    #expect(reported.first?.message.contains(reason) == true)
    #expect(source.demandCount == 0)
  }

  @Test func `a negative pause fails the test`() async throws {
    let reported = try await issues {
      try await expectMarbles("a|", from: MarbleSequence("a|"), pause: .nanoseconds(-1))
    }
    #expect(reported.first?.message.contains("needs a pause that is not negative") == true)
  }

  @Test func `an endless sequence in one instant ends in a failure`() async throws {
    let endless = AsyncStream<String>(unfolding: { "a" })
    let reported = try await issues { try await expectMarbles("a-|", from: endless) }
    #expect(
      reported.first?.message.contains("+0ms: expected nothing until the end at +2ms, got a")
        == true)
  }

  @Test func `a cancelled test stops`() async throws {
    let task = Task { try await expectMarbles("a---|", from: MarbleSequence("a---|")) }
    await VirtualTime.current?.settle()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

struct ExpectMarblesOutsideTests {
  @Test func `outside virtual time the functions fail the test`() async throws {
    let stream = AsyncStream<String> { $0.finish() }
    let reported = try await issues {
      let isRight = try await expectMarbles("|", from: stream)
      let isSilent = try await expectNothing(from: stream, for: .seconds(1))
      #expect(!isRight && !isSilent)
    }
    #expect(reported.count == 2)
    #expect(reported.allSatisfy { $0.message.contains("needs virtual time") })
  }
}

extension String {
  fileprivate func components(_ separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
