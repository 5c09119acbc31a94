#if GRPC
  public import Escapement
  public import GRPCCore

  /// Ends the retries of gRPC while a `RetryBudget` is empty.
  ///
  /// ```swift
  /// let policy = RetryPolicy(
  ///   maxAttempts: 4, initialBackoff: .milliseconds(100), maxBackoff: .seconds(2),
  ///   backoffMultiplier: 2, retryableStatusCodes: [.unavailable])
  /// let interceptor = RetryBudgetInterceptor(try RetryBudget(), for: policy)
  /// let client = GRPCClient(transport: transport, interceptors: [interceptor])
  /// ```
  ///
  /// The first answer to a call puts a part of an attempt into the budget. An answer after which gRPC
  /// tries again takes a whole one. If there is none, the interceptor asks gRPC not to try again, and
  /// the caller gets the error of the service. In contrast to the throttle of gRPC, other clients can
  /// share the budget, also those of `retry` and of HTTP.
  ///
  /// - gRPC tells an interceptor the number of an attempt with the answer, and not before. So the
  ///   budget does not bound attempts that gRPC begins in parallel, as hedges.
  /// - A server or a proxy must not send `grpc-previous-rpc-attempts`, which is the field for that
  ///   number: gRPC replaces it from the second attempt on only.
  /// - An attempt whose connection breaks has no number, and counts as the first one.
  /// - An attempt that gRPC does not make for another reason, such as its own throttle, is not given
  ///   back.
  /// - A call that another interceptor has refused is not tried again, and does not count.
  ///
  /// This type exists with the package trait `GRPC`.
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  public struct RetryBudgetInterceptor: ClientInterceptor {
    private let budget: RetryBudget
    private let policy: RetryPolicy

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - budget: The budget, which other clients may share.
    ///   - policy: The policy with which gRPC retries the calls, in their options or in the
    ///     configuration of the service. It tells which answers another attempt follows.
    public init(_ budget: RetryBudget, for policy: RetryPolicy) {
      self.budget = budget
      self.policy = policy
    }

    /// Makes an attempt, and decides whether another one may follow.
    @concurrent public func intercept<Input: Sendable, Output: Sendable>(
      request: StreamingClientRequest<Input>, context: ClientContext,
      next:
        @concurrent (
          _ request: StreamingClientRequest<Input>, _ context: ClientContext
        ) async throws -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output> {
      var response = try await next(request, context)
      switch response.accepted {
      case .success(let contents):
        if contents.metadata.attempt == 1 { budget.deposit() }
      case .failure(var error):
        guard !error.metadata.forbidsRetry else { return response }
        let attempt = error.metadata.attempt
        if attempt == 1 { budget.deposit() }
        if attempt < policy.maxAttempts,
          policy.retryableStatusCodes.contains(Status.Code(error.code)), !budget.withdraw()
        {
          error.metadata.forbidRetry()
          response.accepted = .failure(error)
        }
      }
      return response
    }
  }

  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  extension Metadata {
    private static let pushback = "grpc-retry-pushback-ms"

    /// The number of the attempt that was answered with these metadata.
    fileprivate var attempt: Int {
      let previous = self[stringValues: "grpc-previous-rpc-attempts"].first { _ in true }
      // gRPC sets it from the second attempt on. Before, it may be any text of the server.
      return (previous.flatMap { UInt16($0) }.map(Int.init) ?? 0) + 1
    }

    /// Whether gRPC does not try again, because the number of milliseconds is none.
    fileprivate var forbidsRetry: Bool {
      guard let time = self[stringValues: Self.pushback].first(where: { _ in true }) else {
        return false
      }
      return Int64(time).map { $0 < 0 } ?? true
    }

    /// Asks gRPC not to try again.
    mutating func forbidRetry() { replaceOrAddString("-1", forKey: Self.pushback) }
  }
#endif
