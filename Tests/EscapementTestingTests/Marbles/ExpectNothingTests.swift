import EscapementTesting
import TestSupport
import Testing

@Suite(.virtualTime) struct ExpectNothingTests {
  private struct Offline: Error {}

  @Test func `an element at the end of the time is not within it, and one nanosecond before is`()
    async throws
  {
    let time = try VirtualTime.required
    #expect(try await expectNothing(from: MarbleSequence(" 1h a"), for: .seconds(3_600)))
    #expect(time.now.offset == .seconds(3_600))
    var line = 0
    let reported = try await issues {
      line = #line + 1
      let isSilent = try await expectNothing(from: MarbleSequence(" 1h a"), for: .seconds(3_601))
      #expect(!isSilent)
    }
    #expect(reported.map(\.line) == [line])
    #expect(
      reported.first?.message == """
        Nothing was expected from the sequence for 3601s, but it produced "a" after 1h.

        If this is right, expect it first, for example with 'expectMarbles'.
        """)
    let late = try await issues {
      try await expectNothing(
        from: MarbleSequence(" 1h a"), for: .seconds(3_600) + .nanoseconds(1))
    }
    #expect(late.count == 1)
  }

  @Test func `the end and a failure are something`() async throws {
    let reported = try await issues {
      try await expectNothing(from: MarbleSequence("-|"), for: .seconds(1))
      try await expectNothing(from: MarbleSequence("-#", failure: Offline()), for: .seconds(1))
    }
    #expect(reported.count == 2)
    #expect(reported.first?.message.contains("but it ended after 1ms") == true)
    #expect(reported.last?.message.contains("but it failed with ") == true)
  }

  @Test func `an iterator from which elements have been taken`() async throws {
    var iterator = MarbleSequence("a 1h b").makeAsyncIterator()
    #expect(await iterator.next() == "a")
    #expect(try await expectNothing(from: &iterator, for: .seconds(3_600)))
    var other = MarbleSequence("a 1h b").makeAsyncIterator()
    #expect(await other.next() == "a")
    let reported = try await issues { try await expectNothing(from: &other, for: .seconds(3_601)) }
    #expect(reported.count == 1)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `a duration that is not positive fails the test`(duration: Duration) async throws {
    let source = MarbleSequence("a")
    let reported = try await issues { try await expectNothing(from: source, for: duration) }
    #expect(reported.first?.message.contains("positive duration (got \(duration))") == true)
    #expect(source.demandCount == 0)
  }

  @Test func `a duration beyond virtual time fails the test`() async throws {
    let source = MarbleSequence("a")
    let duration = Duration.seconds(Int64.max)
    let reported = try await issues { try await expectNothing(from: source, for: duration) }
    #expect(reported.first?.message.contains("ends after 292 years (got \(duration))") == true)
    #expect(source.demandCount == 0)
  }
}
