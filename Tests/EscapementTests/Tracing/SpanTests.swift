#if Tracing
  import Escapement
  import EscapementTesting
  import InMemoryTracing
  import Testing
  import Tracing

  @Suite(.virtualTime) struct SpanTests {
    private struct Failure: Error, CustomStringConvertible { let description = "busy" }

    @Test func `a retried operation is one span, with an event for each failed attempt`()
      async throws
    {
      let tracer = InMemoryTracer()
      _ = try? await tracer.withSpan("stock") { span in
        try await retry(
          maximumAttempts: 2, backoff: .constant(.milliseconds(1_500)),
          onFailure: { span.add(retry: $0) }
        ) { throw Failure() }
      }
      let span = try #require(tracer.finishedSpans.first)
      #expect(tracer.finishedSpans.count == 1)
      #expect(span.events.map(\.name) == ["attempt.failed", "attempt.failed"])
      let (first, last) = (span.events[0].attributes, span.events[1].attributes)
      #expect(first["escapement.attempt"]?.toSpanAttribute() == .int64(1))
      #expect(first["escapement.retry.delay"]?.toSpanAttribute() == .double(1.5))
      #expect(first["error.type"]?.toSpanAttribute() == "Failure")
      #expect(first["exception.message"]?.toSpanAttribute() == "busy")
      #expect(last["escapement.attempt"]?.toSpanAttribute() == .int64(2))
      #expect(last["escapement.retry.delay"] == nil)
    }
  }
#endif
