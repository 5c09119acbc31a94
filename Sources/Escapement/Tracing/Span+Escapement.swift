#if Tracing
  public import Tracing

  extension Span {
    /// Adds an event for a failed attempt of a `retry` to the span of the operation.
    ///
    /// ```swift
    /// let stock = try await withSpan("stock") { span in
    ///   try await retry(onFailure: { span.add(retry: $0) }) { try await client.stock() }
    /// }
    /// ```
    ///
    /// The event is named `attempt.failed`. Its attributes are `error.type`, `exception.message`,
    /// `escapement.attempt`, and `escapement.retry.delay` in seconds unless there is no further
    /// attempt.
    ///
    /// This method exists with the package trait `Tracing`.
    public func add(retry failure: RetryFailure) {
      var event = SpanEvent(name: "attempt.failed")
      event.attributes["error.type"] = "\(type(of: failure.error))"
      event.attributes["exception.message"] = "\(failure.error)"
      event.attributes["escapement.attempt"] = failure.attempt
      if let delay = failure.delay {
        event.attributes["escapement.retry.delay"] = delay / .seconds(1)
      }
      addEvent(event)
    }
  }
#endif
