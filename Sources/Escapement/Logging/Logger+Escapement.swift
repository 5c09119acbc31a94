#if Logging
  public import Logging

  extension Logger {
    /// Logs a failed attempt of a `retry`.
    ///
    /// ```swift
    /// try await retry(onFailure: { logger.log(retry: $0) }) { try await client.forecast() }
    /// ```
    ///
    /// The message is always the same. The metadata have `attempt`, `error`, `elapsed`, and `delay`
    /// unless there is no further attempt.
    ///
    /// This method exists with the package trait `Logging`.
    ///
    /// - Parameters:
    ///   - failure: The attempt.
    ///   - level: The level of an attempt that another one follows. The last one is an error.
    public func log(retry failure: RetryFailure, level: Logger.Level = .notice) {
      var metadata: Logger.Metadata = [
        "attempt": "\(failure.attempt)", "error": "\(failure.error)",
        "elapsed": "\(failure.elapsed)",
      ]
      if let delay = failure.delay {
        metadata["delay"] = "\(delay)"
        log(level: level, "An attempt has failed; another one follows.", metadata: metadata)
      } else {
        error("An attempt has failed; no other one follows.", metadata: metadata)
      }
    }

    /// Logs a change of the state of a circuit breaker.
    ///
    /// ```swift
    /// let breaker = try CircuitBreaker(policy, onChange: { logger.log(circuit: "shop", $0) })
    /// ```
    ///
    /// A breaker that opens is a warning. This method exists with the package trait `Logging`.
    ///
    /// - Parameters:
    ///   - name: The name of the breaker, as metadata.
    ///   - state: The new state, as metadata.
    public func log(circuit name: String, _ state: CircuitState) {
      log(
        level: state == .open ? .warning : .notice, "A circuit breaker has changed its state.",
        metadata: ["circuit": "\(name)", "state": "\(state)"])
    }
  }
#endif
