#if Tracing
  import Escapement
  import EscapementTesting
  import InMemoryTracing
  import Testing
  import Tracing

  @Suite(.virtualTime) struct SpanTests {
    private struct Failure: Error, CustomStringConvertible { let description = "busy" }

    @Test func `a retried operation is one span, with an event for each attempt`() async throws {
      let tracer = InMemoryTracer()
      var count = 0
      for _ in 1...2 {
        _ = try? await tracer.withSpan("stock") { span in
          try await retry(
            maximumAttempts: 2, backoff: .constant(.milliseconds(1_500)),
            onAttempt: { span.add(retry: $0) }
          ) {
            count += 1
            if count < 4 { throw Failure() }
          }
        }
      }
      let span = try #require(tracer.finishedSpans.first)
      #expect(tracer.finishedSpans.count == 2)
      #expect(span.events.map(\.name) == ["attempt.failed", "attempt.failed"])
      let (first, last) = (span.events[0].attributes, span.events[1].attributes)
      #expect(first["escapement.attempt"]?.toSpanAttribute() == .int64(1))
      #expect(first["escapement.retry.delay"]?.toSpanAttribute() == .double(1.5))
      #expect(first["error.type"]?.toSpanAttribute() == "Failure")
      #expect(first["exception.message"]?.toSpanAttribute() == "busy")
      #expect(last["escapement.attempt"]?.toSpanAttribute() == .int64(2))
      #expect(last["escapement.retry.delay"] == nil)
      let events = try #require(tracer.finishedSpans.last).events
      #expect(events.map(\.name) == ["attempt.failed", "attempt.succeeded"])
      #expect(events[1].attributes["escapement.attempt"]?.toSpanAttribute() == .int64(2))
      #expect(events[1].attributes["error.type"] == nil)
    }
  }
#endif
