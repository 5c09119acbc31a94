#if AsyncHTTPClient
  public import AsyncHTTPClient
  public import Escapement
  import NIOCore
  import NIOHTTP1
  import _EscapementCore

  /// Executes requests of an `HTTPClient`, and tries again those that may be sent again.
  ///
  /// ```swift
  /// let client = try ResilientHTTPClient(.shared)
  /// let response = try await client.execute(HTTPClientRequest(url: "https://example.com/stock"))
  /// ```
  ///
  /// With the default policy, a call has up to three attempts, and a minute for all of them.
  /// ``HTTPClientPolicy`` adds circuit breakers, limits and hedging.
  ///
  /// - **Nothing is sent twice that must not be.** A request is sent again if its method is
  ///   idempotent (GET, HEAD, OPTIONS, TRACE, PUT, DELETE), if it has an `Idempotency-Key`, or if
  ///   the caller says so. A body that is a stream is sent once.
  /// - **Servers are heard.** A `Retry-After`, in seconds or as a date, sets the delay. A
  ///   `RetryBudget` bounds the further attempts of all calls.
  /// - **No answer is lost.** When no attempt has succeeded, the call returns the last answer or
  ///   throws the last error, as the client itself does.
  /// - **Nothing is left open.** The body of an answer that another attempt replaces is read or
  ///   cancelled.
  ///
  /// The parts are nested as *Being resilient* says: deadline, retry, hedging, circuit breaker,
  /// concurrency limit. This type exists with the package trait `AsyncHTTPClient`.
  public final class ResilientHTTPClient: Sendable {
    /// When requests are tried again, and how they are limited.
    public let policy: HTTPClientPolicy

    private let budget: RetryBudget?
    private let followsRedirects: Bool
    private let send: @Sendable (HTTPClientRequest) async throws -> HTTPClientResponse
    private let hosts = Lock(HostTable<Host>(limit: 1_000))

    /// Creates a client that sends requests with another one.
    ///
    /// - Parameters:
    ///   - client: The client that sends the requests. It has to be shut down by its owner.
    ///   - policy: When requests are tried again, and how they are limited.
    ///   - budget: A limit on further attempts and hedges, which other clients may share; `nil` if
    ///     there is none.
    ///   - followsRedirects: Whether the client follows redirects, as it does by default. If not, a
    ///     request of any method is tried again after an error that says that nothing was sent.
    ///     With redirects, such an error may concern the second host.
    /// - Throws: `InvalidArgumentError`, which names the property of the policy that is not valid.
    public convenience init(
      _ client: HTTPClient, policy: HTTPClientPolicy = HTTPClientPolicy(),
      budget: RetryBudget? = try? RetryBudget(), followsRedirects: Bool = true
    ) throws(InvalidArgumentError) {
      try self.init(policy: policy, budget: budget, followsRedirects: followsRedirects) {
        try await client.execute($0, deadline: .distantFuture)
      }
    }

    /// Creates a client that sends requests with a function, such as a stub or one that injects
    /// faults.
    ///
    /// - Parameters:
    ///   - policy: When requests are tried again, and how they are limited.
    ///   - budget: A limit on further attempts and hedges, which other clients may share; `nil` if
    ///     there is none.
    ///   - followsRedirects: Whether the function follows redirects.
    ///   - send: Sends a request, and returns its answer, each with a body of its own.
    /// - Throws: `InvalidArgumentError`, which names the property of the policy that is not valid.
    public init(
      policy: HTTPClientPolicy = HTTPClientPolicy(), budget: RetryBudget? = try? RetryBudget(),
      followsRedirects: Bool = true,
      send: @escaping @Sendable (HTTPClientRequest) async throws -> HTTPClientResponse
    ) throws(InvalidArgumentError) {
      try policy.check()
      self.policy = policy
      self.budget = budget
      self.followsRedirects = followsRedirects
      self.send = send
    }

    /// The states of the circuit breakers, by the addresses of their hosts, such as
    /// `https://example.com`; empty if the policy has no breaker.
    ///
    /// At least the 1,000 hosts that were used last have one.
    public var circuitStates: [String: CircuitState] {
      hosts.withLock { $0.values }.compactMapValues { $0.breaker?.state }
    }

    /// Executes a request until an attempt succeeds or none may follow.
    ///
    /// Without `collectingUpTo`, the call ends with the head of the answer, and so do the timeouts
    /// and the place in the concurrency limit. With it, they include the body, and an answer that
    /// breaks off is tried again.
    ///
    /// - `request`: The request.
    /// - `isIdempotent`: Whether the request may be sent again; by default, its method and its
    ///   headers decide.
    /// - `maximumBytes`: The longest body to read before the call returns, zero or positive; `nil` to
    ///   return the body as a stream. A longer body of a failure is left out.
    /// - `fileID`, `line`: The source location that the error of the timeout names; by default that
    ///   of the caller.
    /// - Returns: The answer, or the last of the refused ones.
    /// - Throws: The error of the last attempt; `CircuitOpenError`; `ConcurrencyLimitError`;
    ///   `DeadlineExpiredError`; `NIOTooManyBytesError`; `InvalidArgumentError`; or
    ///   `CancellationError`.
    nonisolated(nonsending) public func execute(
      _ request: HTTPClientRequest, isIdempotent: Bool? = nil,
      collectingUpTo maximumBytes: Int? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> HTTPClientResponse {
      if let maximumBytes, maximumBytes < 0 {
        throw InvalidArgumentError("maximumBytes", maximumBytes, mustBe: "zero or positive")
      }
      let isIdempotent = isIdempotent ?? request.isIdempotent
      let isRepeatable = isIdempotent && request.canBeSentAgain
      var refused: HTTPClientResponse?
      do {
        return try await retry(
          maximumAttempts: policy.maximumAttempts, backoff: policy.backoff,
          before: policy.timeout.map { ContinuousClock().instant(in: $0) }, budget: budget,
          fileID: fileID, line: line,
          when: {
            RequestFailure($0).decision(
              isIdempotent: isIdempotent, canBeSentAgain: request.canBeSentAgain,
              followsRedirects: followsRedirects)
          },
          onAttempt: {
            // Another attempt follows: this gives the connection back.
            if $0.delay != nil { refused = nil }
            policy.onAttempt?($0)
          }
        ) {
          let response = try await race(request, isRepeatable: isRepeatable, maximumBytes)
          guard isRepeatable, policy.retriedStatuses.contains(response.status.code) else {
            return response
          }
          refused = try await response.collectedIfSmall(within: policy.attemptTimeout)
          throw RefusedStatus(response, longestDelay: policy.longestRetryAfter)
        }
      } catch let error as RetryError {
        if error.lastError is RefusedStatus, let refused { return refused }
        throw error.lastError
      }
    }
  }

  extension ResilientHTTPClient {
    /// An attempt, and a second one if it takes long.
    nonisolated(nonsending) private func race(
      _ request: HTTPClientRequest, isRepeatable: Bool, _ maximumBytes: Int?
    ) async throws -> HTTPClientResponse {
      guard isRepeatable, let delay = policy.hedgingDelay else {
        return try await attempt(request, maximumBytes)
      }
      let hasHedge = HedgeFlag()
      let outcome: Result<HTTPClientResponse, any Error>
      outcome = try await hedged(after: delay) { [self] number in
        if number == 1 {
          // If it is alone, its failure ends the race, because the delay before the next attempt is
          // the retry's.
          do {
            return .success(try await attempt(request, maximumBytes))
          } catch  where !hasHedge.isSet {
            return .failure(error)
          }
        }
        // It may begin when the race is over.
        try Task.checkCancellation()
        guard budget?.withdraw() ?? true else { throw CancellationError() }
        hasHedge.set()
        policy.onEvent?(HostTable<Host>.key(of: request.url), .hedged(attempt: number))
        return .success(try await attempt(request, maximumBytes))
      }
      return try outcome.get()
    }

    nonisolated(nonsending) private func attempt(
      _ request: HTTPClientRequest, _ maximumBytes: Int?
    ) async throws -> HTTPClientResponse {
      guard policy.limitsHosts else { return try await once(request, maximumBytes) }
      let key = HostTable<Host>.key(of: request.url)
      let host = try hosts.withLock { hosts throws(InvalidArgumentError) in
        try hosts.value(for: key) { () throws(InvalidArgumentError) in try Host(policy, name: key) }
      }
      return try await host.run { try await once(request, maximumBytes) }
    }

    nonisolated(nonsending) private func once(
      _ request: HTTPClientRequest, _ maximumBytes: Int?
    ) async throws -> HTTPClientResponse {
      try await withDeadline(policy.attemptTimeout.map { ContinuousClock().instant(in: $0) }) {
        var response = try await send(request)
        guard let maximumBytes else { return response }
        do {
          response.body = .bytes(try await response.body.collect(upTo: maximumBytes))
        } catch is NIOTooManyBytesError
          where response.status.code >= 500 || policy.retriedStatuses.contains(response.status.code)
        {
          // What matters is that it has failed.
          response.body = .bytes(ByteBuffer())
        }
        return response
      }
    }
  }

  /// Whether the second attempt has begun.
  private final class HedgeFlag: Sendable {
    private let flag = Lock(false)
    var isSet: Bool { flag.withLock { $0 } }
    func set() { flag.withLock { $0 = true } }
  }

  extension HTTPClientResponse {
    /// The response with its body in memory, if the body is known to be small.
    ///
    /// Servers explain a refusal in a few bytes. Reading them gives the connection back before the
    /// delay; the body of another response is cancelled when nobody refers to it any more. A body
    /// that does not come within a second, or breaks off, is left out.
    fileprivate func collectedIfSmall(within timeout: Duration?) async throws -> HTTPClientResponse
    {
      let limit = 64 * 1024
      guard let length = headers.first(name: "Content-Length").flatMap({ Int($0) }),
        length <= limit
      else { return self }
      var response = self
      let deadline = ContinuousClock().instant(in: min(timeout ?? .seconds(1), .seconds(1)))
      do {
        response.body = try await withDeadline(deadline) {
          .bytes(try await body.collect(upTo: limit))
        }
      } catch {
        try Task.checkCancellation()
        response.body = .bytes(ByteBuffer())
      }
      return response
    }
  }
#endif
