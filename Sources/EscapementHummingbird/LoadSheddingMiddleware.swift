#if Hummingbird
  public import Escapement
  import HTTPTypes
  public import Hummingbird

  /// Refuses requests at once that a server with too much to do would answer too late.
  ///
  /// ```swift
  /// let limiter = try ConcurrencyLimiter(.fixed(64), maximumDelay: .milliseconds(500))
  /// router.add(middleware: LoadSheddingMiddleware(limiter))
  /// ```
  ///
  /// A refused request gets the status 503 and a `Retry-After`, also when a limiter of the handler
  /// has refused. A request has its place until its handler has returned the response. The body of
  /// the response is written after that. When a client goes away, Hummingbird lets the handler go on,
  /// so give handlers a deadline, with a ``DeadlineMiddleware`` behind this one.
  ///
  /// This type exists with the package trait `Hummingbird`.
  @available(macOS 14.0, iOS 17.0, tvOS 17.0, visionOS 1.0, *)
  public struct LoadSheddingMiddleware<Context: RequestContext, C: Clock<Duration>>:
    RouterMiddleware
  {
    private let limiter: ConcurrencyLimiter<C>
    private let retryAfter: ClosedRange<Int>
    private let priority: @Sendable (Request, Context) -> TaskPriority

    /// Creates a middleware.
    ///
    /// - Parameters:
    ///   - limiter: How many requests run at the same time, and how long others wait. With a
    ///     `maximumDelay`, those that would be answered too late are refused.
    ///   - retryAfter: When refused clients may come again, rounded up to seconds.
    ///   - spread: How much later at most, at random for each request, so that clients that were
    ///     refused together do not come back together; a negative one is zero.
    ///   - priority: Which of the requests that wait goes first.
    public init(
      _ limiter: ConcurrencyLimiter<C>, retryAfter: Duration = .seconds(1),
      spread: Duration = .zero,
      priority: @escaping @Sendable (Request, Context) -> TaskPriority = { _, _ in .medium }
    ) {
      self.limiter = limiter
      let seconds = retryAfter / .seconds(1)
      let first = RateLimitFields.integer(seconds)
      self.retryAfter =
        first...max(first, RateLimitFields.integer(seconds + spread / .seconds(1)))
      self.priority = priority
    }

    /// Handles a request when its turn has come, or refuses it.
    @concurrent public func handle(
      _ request: Request, context: Context,
      next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
      do {
        return try await limiter.run(priority: priority(request, context)) {
          try await next(request, context)
        }
      } catch is ConcurrencyLimitError {
        let seconds = Int.random(in: retryAfter)
        throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "\(seconds)"])
      }
    }
  }
#endif
