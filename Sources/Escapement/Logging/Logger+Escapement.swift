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

    /// Logs an event of a block.
    ///
    /// ```swift
    /// let breaker = try CircuitBreaker(policy, onEvent: { logger.log($0, of: "shop") })
    /// ```
    ///
    /// A breaker that opens, and a store that does not decide, are warnings. Other changes of a
    /// breaker are notices, and refused calls have the level `debug`. All else has the level `trace`.
    ///
    /// This method exists with the package trait `Logging`.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - block: The name of the block, as metadata.
    public func log(_ event: BlockEvent, of block: String) {
      switch event {
      case .changed(let state):
        log(
          level: state == .open ? .warning : .notice, "A circuit breaker has changed its state.",
          metadata: ["block": "\(block)", "state": "\(state)"])
      case .storeFailed(let error):
        warning(
          "A store has not made a decision.", metadata: ["block": "\(block)", "error": "\(error)"])
      case .refused(let error):
        debug("A call was refused.", metadata: ["block": "\(block)", "error": "\(error)"])
      default:
        trace("A block has decided.", metadata: ["block": "\(block)", "event": "\(event)"])
      }
    }
  }
#endif
