#if GRPC
  public import Escapement
  public import GRPCCore

  /// Refuses a part of the calls of a gRPC service that has too much to do, with an
  /// `AdaptiveThrottle`.
  ///
  /// ```swift
  /// let interceptor = AdaptiveThrottleInterceptor(try AdaptiveThrottle())
  /// let client = GRPCClient(transport: transport, interceptors: [interceptor])
  /// ```
  ///
  /// A refused call fails with `RPCError.Code.unavailable`, whose cause is a `CallThrottledError`,
  /// and asks gRPC not to try again. The attempts of gRPC's own retries count as calls, so that
  /// there are fewer of them while the service rejects many.
  ///
  /// This type exists with the package trait `GRPC`.
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  public struct AdaptiveThrottleInterceptor<C: Clock<Duration>>: ClientInterceptor {
    private let throttle: AdaptiveThrottle<C>
    private let rejections: Set<RPCError.Code>

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - throttle: The throttle, which other clients of the service may share.
    ///   - rejections: The statuses that mean that the service has too much to do.
    public init(
      _ throttle: AdaptiveThrottle<C>,
      countingAsRejection rejections: Set<RPCError.Code> = .rejections
    ) {
      self.throttle = throttle
      self.rejections = rejections
    }

    /// Lets a call through, or refuses it.
    @concurrent public func intercept<Input: Sendable, Output: Sendable>(
      request: StreamingClientRequest<Input>, context: ClientContext,
      next:
        @concurrent (
          _ request: StreamingClientRequest<Input>, _ context: ClientContext
        ) async throws -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output> {
      do {
        try throttle.begin()
      } catch {
        throw RPCError(refusing: error)
      }
      return try await watching(request) { ending, error in
        switch ending {
        case .completed: throttle.end(error, isAccepted: true)
        case .failed(let code): throttle.end(error, isAccepted: !rejections.contains(code))
        case .cancelled, .refused: throttle.end(error, isAccepted: nil)
        }
      } call: {
        try await next(request, context)
      }
    }
  }
#endif
