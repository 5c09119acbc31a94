#if AsyncHTTPClient
  import AsyncHTTPClient
  import Escapement
  import NIOHTTP1

  /// The breaker and the limiter of a host.
  struct Host: Sendable {
    let breaker: CircuitBreaker<ContinuousClock>?
    let limiter: ConcurrencyLimiter<ContinuousClock>?

    init(_ policy: HTTPClientPolicy, name: String) throws(InvalidArgumentError) {
      let onEvent = policy.onEvent.map { onEvent in { @Sendable in onEvent(name, $0) } }
      breaker =
        if let breaker = policy.circuitBreaker {
          try CircuitBreaker(breaker, onEvent: onEvent)
        } else { nil }
      limiter =
        if let limit = policy.concurrencyLimit {
          try ConcurrencyLimiter(
            limit, maximumWaiting: policy.maximumWaiting,
            countingAsOverload: { $0 is DeadlineExpiredError || $0 is FailedStatus },
            onEvent: onEvent)
        } else { nil }
    }

    /// Performs an attempt when the breaker and the limiter let it through.
    nonisolated(nonsending) func run(
      _ attempt: nonisolated(nonsending) () async throws -> HTTPClientResponse
    ) async throws -> HTTPClientResponse {
      // A call, because an attempt that has not got its turn does not tell of the host.
      let call = try breaker?.begin()
      var hasBegun = false
      do {
        let response = try await throughLimiter {
          try Task.checkCancellation()
          hasBegun = true
          call?.restart()
          return try await attempt()
        }
        let code = response.status.code
        call?.end(code >= 500 ? FailedStatus(code: code) : nil, isFailure: code >= 500)
        return response
      } catch {
        call?.end(
          error,
          isFailure: !hasBegun
            ? nil
            : RequestFailure(error).isFaultOfHost(
              isCancelled: Task.isCancelled, reason: Task.cancellationReason))
        throw error
      }
    }

    nonisolated(nonsending) private func throughLimiter(
      _ attempt: nonisolated(nonsending) () async throws -> HTTPClientResponse
    ) async throws -> HTTPClientResponse {
      guard let limiter else { return try await attempt() }
      var refusal: HTTPClientResponse?
      do {
        return try await limiter.run {
          let response = try await attempt()
          guard ![429, 503, 504].contains(response.status.code) else {
            refusal = response
            throw FailedStatus(code: response.status.code)
          }
          return response
        }
      } catch is FailedStatus {
        return refusal!
      }
    }

    /// An answer that is a failure of the host, or says that it has too much to do.
    private struct FailedStatus: Error, CustomStringConvertible {
      let code: UInt
      var description: String { "The server has answered with the status \(code)." }
    }
  }
#endif
