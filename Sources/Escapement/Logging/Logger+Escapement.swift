#if Logging
  public import Logging

  extension Logger {
    /// Logs an attempt of a `retry`.
    ///
    /// ```swift
    /// try await retry(onAttempt: { logger.log(retry: $0) }) { try await client.forecast() }
    /// ```
    ///
    /// There is one message for each outcome. The metadata have `attempt`, `elapsed`, the `error` of a
    /// failure, and `delay` unless there is no further attempt.
    ///
    /// This method exists with the package trait `Logging`.
    ///
    /// - Parameters:
    ///   - attempt: The attempt.
    ///   - level: The level of a failure that another attempt follows. The last failure is an error,
    ///     and a success has the level `trace`.
    public func log(retry attempt: RetryAttempt, level: Logger.Level = .notice) {
      var metadata: Logger.Metadata = [
        "attempt": "\(attempt.number)", "elapsed": "\(attempt.elapsed)",
      ]
      guard let failure = attempt.error else {
        return trace("An attempt has succeeded.", metadata: metadata)
      }
      metadata["error"] = "\(failure)"
      if let delay = attempt.delay {
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
    /// A breaker that opens, a store that does not decide, and a lease that is lost are warnings.
    /// Other changes of a breaker and faults on purpose are notices, and refused calls have the level
    /// `debug`. All else has the level `trace`.
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
      case .lost:
        warning("A lease was lost.", metadata: ["block": "\(block)"])
      case .injected(let fault):
        notice("A fault was injected.", metadata: ["block": "\(block)", "fault": "\(fault)"])
      case .refused(let error):
        debug("A call was refused.", metadata: ["block": "\(block)", "error": "\(error)"])
      default:
        trace("A block has decided.", metadata: ["block": "\(block)", "event": "\(event)"])
      }
    }
  }
#endif
