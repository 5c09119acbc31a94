#if AsyncHTTPClient
  import AsyncHTTPClient
  import Escapement
  import NIOHTTP1

  /// The breaker and the limiter of a host.
  struct Host: Sendable {
    let breaker: CircuitBreaker<ContinuousClock>?
    let limiter: ConcurrencyLimiter<ContinuousClock>?

    init(_ policy: HTTPClientPolicy) throws(InvalidArgumentError) {
      breaker =
        if let breaker = policy.circuitBreaker {
          try CircuitBreaker(breaker, countingAsFailure: RequestFailure.isFaultOfHost)
        } else { nil }
      limiter =
        if let limit = policy.concurrencyLimit {
          try ConcurrencyLimiter(
            limit, maximumWaiting: policy.maximumWaiting,
            countingAsOverload: RequestFailure.isOverload)
        } else { nil }
    }

    /// Performs an attempt, whose status counts as an error for the breaker and the limiter.
    nonisolated(nonsending) func run(
      _ attempt: nonisolated(nonsending) () async throws -> HTTPClientResponse
    ) async throws -> HTTPClientResponse {
      do {
        return try await throughBreaker {
          try await throughLimiter {
            let response = try await attempt()
            let code = response.status.code
            guard code < 500, code != 429 else { throw FailedStatus(response: response) }
            return response
          }
        }
      } catch let failure as FailedStatus {
        return failure.response
      }
    }

    nonisolated(nonsending) private func throughBreaker(
      _ attempt: nonisolated(nonsending) () async throws -> HTTPClientResponse
    ) async throws -> HTTPClientResponse {
      guard let breaker else { return try await attempt() }
      return try await breaker.run(operation: attempt)
    }

    nonisolated(nonsending) private func throughLimiter(
      _ attempt: nonisolated(nonsending) () async throws -> HTTPClientResponse
    ) async throws -> HTTPClientResponse {
      guard let limiter else { return try await attempt() }
      return try await limiter.run(operation: attempt)
    }
  }

  /// An answer that the breaker or the limiter counts as an error.
  struct FailedStatus: Error {
    let response: HTTPClientResponse
  }
#endif
