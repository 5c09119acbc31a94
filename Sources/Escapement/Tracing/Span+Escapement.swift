#if Tracing
  public import Tracing

  extension Span {
    /// Adds an event for an attempt of a `retry` to the span of the operation.
    ///
    /// ```swift
    /// let stock = try await withSpan("stock") { span in
    ///   try await retry(onAttempt: { span.add(retry: $0) }) { try await client.stock() }
    /// }
    /// ```
    ///
    /// The event is named `attempt.succeeded` or `attempt.failed`, and has the attribute
    /// `escapement.attempt`, the number of the attempt. That of a failure also has `error.type`,
    /// `exception.message`, and `escapement.retry.delay` in seconds unless there is no further
    /// attempt.
    ///
    /// This method exists with the package trait `Tracing`.
    public func add(retry attempt: RetryAttempt) {
      var event = SpanEvent(name: attempt.error == nil ? "attempt.succeeded" : "attempt.failed")
      event.attributes["escapement.attempt"] = attempt.number
      if let error = attempt.error {
        event.attributes["error.type"] = "\(type(of: error))"
        event.attributes["exception.message"] = "\(error)"
      }
      if let delay = attempt.delay {
        event.attributes["escapement.retry.delay"] = delay / .seconds(1)
      }
      addEvent(event)
    }
  }
#endif
