import EscapementTesting
import TestSupport
import Testing

@Suite(.virtualTime) struct MarbleSequenceTests {
  private struct Offline: Error, Equatable {}

  private func seen<Elements: AsyncSequence & SendableMetatype>(
    _ elements: Elements, pausing pause: Duration = .zero
  ) async throws -> [String] {
    let time = try VirtualTime.required
    let start = time.now
    var seen: [String] = []
    do {
      for try await element in elements {
        seen.append("\(element) at \(start.duration(to: time.now) / Duration.milliseconds(1))")
        try await time.sleep(for: pause)
      }
      seen.append("end at \(start.duration(to: time.now) / Duration.milliseconds(1))")
    } catch {
      seen.append("\(error) at \(start.duration(to: time.now) / Duration.milliseconds(1))")
    }
    return seen
  }

  @Test func `elements come at the instants of the diagram`() async throws {
    let source = MarbleSequence("a-(bc) 9ms d|")
    #expect(
      try await seen(source) == ["a at 0.0", "b at 2.0", "c at 2.0", "d at 12.0", "end at 13.0"])
    #expect(source.demandCount == 5)
  }

  @Test func `values may be of any type, and a failure is thrown`() async throws {
    let source = MarbleSequence(
      "-a-#", values: ["a": [1, 2]], failure: Offline(), unit: .seconds(1))
    #expect(try await seen(source) == ["[1, 2] at 1000.0", "Offline() at 3000.0"])
  }

  @Test func `a source without a failure does not throw`() async throws {
    var iterator = MarbleSequence("ab|", values: ["a": 1, "b": 2]).makeAsyncIterator()
    #expect(await [iterator.next(), iterator.next(), iterator.next()] == [1, 2, nil])
    #expect(await iterator.next() == nil)
  }

  @Test func `elements wait for a slow consumer`() async throws {
    let source = MarbleSequence("abc---d|")
    #expect(
      try await seen(source, pausing: .milliseconds(2)) == [
        "a at 0.0", "b at 2.0", "c at 4.0", "d at 6.0", "end at 8.0",
      ])
  }

  @Test func `on demand a slow consumer delays what follows`() async throws {
    let source = MarbleSequence("abc---d|", demand: .onDemand)
    #expect(
      try await seen(source, pausing: .milliseconds(2)) == [
        "a at 0.0", "b at 3.0", "c at 6.0", "d at 12.0", "end at 15.0",
      ])
  }

  @Test func `each iteration begins anew`() async throws {
    let source = MarbleSequence("-a|")
    #expect(try await seen(source) == ["a at 1.0", "end at 2.0"])
    #expect(try await seen(source) == ["a at 1.0", "end at 2.0"])
    source.expectIterations("^-|", "--^-|")
  }

  @Test func `a cancelled task gets no more elements`() async throws {
    let time = try VirtualTime.required
    let source = MarbleSequence("a---b|")
    let task = Task { try await seen(source) }
    try await time.sleep(for: .milliseconds(2))
    task.cancel()
    #expect(try await task.value == ["a at 0.0", "end at 2.0"])
    source.expectIterations("^-!")
  }

  @Test func `a source without an end goes on until it is cancelled`() async throws {
    let time = try VirtualTime.required
    let source = MarbleSequence("a")
    let task = Task { try await seen(source) }
    try await time.sleep(for: .seconds(1_000_000))
    task.cancel()
    #expect(try await task.value == ["a at 0.0", "end at 1000000000.0"])
  }

  @Test func `an iteration ends when its iterator is released`() async throws {
    let time = try VirtualTime.required
    let source = MarbleSequence("a-b-c|")
    try await time.sleep(for: .milliseconds(1))
    for await element in source where element == "b" { break }
    source.expectIterations("-^-!")
    let iterator = source.makeAsyncIterator()
    source.expectIterations("-^-!", "---^")
    withExtendedLifetime(iterator) {}
  }

  @Test func `another iteration than expected fails the test at the call`() async throws {
    let source = MarbleSequence("a-b|")
    for await _ in source { break }
    var line = 0
    let reported = issues {
      line = #line + 1
      source.expectIterations("^-!")
      source.expectIterations("(^!)", "^")
      source.expectIterations("(^a)")
    }
    #expect(reported.map(\.line) == [line, line + 1, line + 2])
    #expect(
      reported.first?.message == """
        Iteration 1 differs from its diagram at +0ms: expected nothing until the \
        cancellation at +2ms, got the cancellation.

          expected  ^-!
          actual    (^!)--
                    ^ +0ms, column 1

        A symbol takes 1ms. If the actual line is right, copy it into the test.
        """)
    #expect(
      reported[1].message.contains("has been iterated 1 times, and there are 2 diagrams:\n- (^!)"))
    #expect(reported[2].message.contains("not valid at column 3"))
  }

  @Test(arguments: [
    ("a-)", 3, "closes no group"), ("a#", 2, "The source cannot fail"),
    ("a!", 2, "A source does not cancel"), ("^a", 1, "belongs only in 'expectIterations'"),
  ])
  func `a diagram that is not valid fails the test, and the source ends`(
    text: String, column: Int, reason: String
  ) async throws {
    var line = 0
    let reported = try await issues {
      line = #line + 1
      let source = MarbleSequence(text)
      let seen = try await seen(source)
      #expect(seen == ["end at 0.0"])
    }
    #expect(reported.map(\.line) == [line])
    #expect(reported.first?.message.contains("not valid at column \(column)") == true)
    #expect(reported.first?.message.contains(reason) == true)
  }

  @Test func `a character without a value, and a value without a character, fail the test`() {
    let reported = issues {
      _ = MarbleSequence("ab|", values: ["a": 1])
      _ = MarbleSequence("a|", values: ["a": 1, "-": 2])
    }
    #expect(reported.count == 2)
    #expect(reported.first?.message.contains("column 2") == true)
    #expect(reported.first?.message.contains("'b' has no value") == true)
    #expect(reported.last?.message.contains("'-' in 'values' cannot stand for a value") == true)
  }
}

struct MarbleSequenceOutsideTests {
  @Test func `outside virtual time a source fails the test and ends`() async {
    var line = 0
    let reported = await issues {
      line = #line + 1
      for await _ in MarbleSequence("a|") { Issue.record("An element came.") }
    }
    #expect(reported.map(\.line) == [line])
    #expect(reported.first?.message.contains("needs virtual time") == true)
  }
}
