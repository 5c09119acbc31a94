#if GRPC
  public import Escapement
  public import GRPCCore
  import _EscapementCore

  /// Refuses calls of a gRPC service that keeps failing, with a `CircuitBreaker`.
  ///
  /// ```swift
  /// let interceptor = try CircuitBreakerInterceptor(.failureRate(percent: 50, over: .seconds(10)))
  /// let client = GRPCClient(transport: transport, interceptors: [interceptor])
  /// ```
  ///
  /// - A refused call fails with `RPCError.Code.unavailable`, whose cause is a `CircuitOpenError`,
  ///   and asks gRPC not to try again.
  /// - A call counts when its last message has come. One that is cancelled, or whose messages are
  ///   not read to the end, does not count. One that exceeds its timeout counts as failed.
  /// - A stream takes the place of a probe for as long as it lives. Where streams live long, give each
  ///   method a breaker of its own, with ``Scope/method``.
  /// - gRPC asks its interceptors when it has a connection. Calls that wait for one do not count.
  ///
  /// This type exists with the package trait `GRPC`.
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  public struct CircuitBreakerInterceptor: ClientInterceptor {
    /// Which calls share a breaker.
    public enum Scope: Hashable, Sendable {
      /// All calls of the client.
      case client
      /// The calls of one service.
      case service
      /// The calls of one method.
      case method
    }

    private let policy: CircuitBreakerPolicy
    private let scope: Scope
    private let failures: Set<RPCError.Code>
    private let onEvent: (@Sendable (_ name: String, BlockEvent) -> Void)?
    private let breakers: Breakers

    /// An object, because a lock cannot be copied.
    private final class Breakers: Sendable {
      let byName = Lock<[String: CircuitBreaker<ContinuousClock>]>([:])
    }

    /// Creates an interceptor whose breakers are closed.
    ///
    /// - Parameters:
    ///   - policy: When a breaker opens, and how it closes again.
    ///   - scope: Which calls share a breaker.
    ///   - failures: The statuses that count as a failure of the service. Others, such as "not
    ///     found", count as success.
    ///   - onEvent: Called for each event of a breaker, with the name of its service or method, such as
    ///     `shop.Warehouse/Stock`; `client` for that of all calls.
    /// - Throws: `InvalidArgumentError`, which names the argument of the policy that is not valid.
    public init(
      _ policy: CircuitBreakerPolicy, for scope: Scope = .service,
      countingAsFailure failures: Set<RPCError.Code> = .failuresOfService,
      onEvent: (@Sendable (_ name: String, BlockEvent) -> Void)? = nil
    ) throws(InvalidArgumentError) {
      _ = try CircuitBreaker(policy)
      self.policy = policy
      self.scope = scope
      self.failures = failures
      self.onEvent = onEvent
      breakers = Breakers()
    }

    /// The breaker of a method, to look at its state, to isolate it or to reset it.
    public func breaker(for method: MethodDescriptor) -> CircuitBreaker<ContinuousClock> {
      let name =
        switch scope {
        case .client: "client"
        case .service: method.service.fullyQualifiedService
        case .method: method.fullyQualifiedMethod
        }
      return breakers.byName.withLock { breakers in
        if let breaker = breakers[name] { return breaker }
        // The initialiser has refused policies that are not valid.
        let breaker = try! CircuitBreaker(
          policy, onEvent: onEvent.map { onEvent in { @Sendable in onEvent(name, $0) } })
        breakers[name] = breaker
        return breaker
      }
    }

    /// Lets a call through, or refuses it.
    @concurrent public func intercept<Input: Sendable, Output: Sendable>(
      request: StreamingClientRequest<Input>, context: ClientContext,
      next:
        @concurrent (
          _ request: StreamingClientRequest<Input>, _ context: ClientContext
        ) async throws -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output> {
      let call: CircuitBreakerCall<ContinuousClock>
      do {
        call = try breaker(for: context.descriptor).begin()
      } catch {
        throw RPCError(refusing: error)
      }
      return try await watching(request) { ending, error in
        switch ending {
        case .completed: call.end(error, isFailure: false)
        case .failed(let code): call.end(error, isFailure: failures.contains(code))
        case .cancelled, .refused: call.end(error, isFailure: nil)
        }
      } call: {
        try await next(request, context)
      }
    }
  }

  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  extension Set<RPCError.Code> {
    /// The statuses that say that the service, and not the request, is the reason.
    public static var failuresOfService: Self {
      [.unavailable, .deadlineExceeded, .resourceExhausted, .internalError, .unknown, .dataLoss]
    }

    /// The statuses that say that the service has too much to do.
    public static var rejections: Self { [.unavailable, .deadlineExceeded, .resourceExhausted] }
  }

  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  extension RPCError {
    /// The error of a call that was not made, after which gRPC must not try again.
    init(refusing error: any Error) {
      self.init(code: .unavailable, message: "\(error)", cause: error)
      metadata.forbidRetry()
    }
  }
#endif
