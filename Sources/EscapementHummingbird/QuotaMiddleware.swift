#if Hummingbird
  public import Escapement
  import HTTPTypes
  public import Hummingbird
  import _EscapementCore

  /// Gives each client of a server a quota of requests.
  ///
  /// ```swift
  /// let quota = Quota.slidingWindow(limit: 100, per: .seconds(60))
  /// router.add(
  ///   middleware: try QuotaMiddleware(quota) { request, _ in request.headers[.authorization] })
  /// ```
  ///
  /// A request beyond the quota gets the status 429 and a `Retry-After`. Each answer has the fields
  /// `RateLimit-Policy` and `RateLimit` of the draft *RateLimit header fields for HTTP*
  /// (draft-ietf-httpapi-ratelimit-headers), also that of a request whose handler throws an
  /// `HTTPError` or another `HTTPResponseError`. For a
  /// quota with several parts, each part has a number behind the name, and tells what remains of
  /// all.
  ///
  /// This type exists with the package trait `Hummingbird`.
  @available(macOS 14.0, iOS 17.0, tvOS 17.0, visionOS 1.0, *)
  public struct QuotaMiddleware<Context: RequestContext, Key: Hashable & Sendable>: RouterMiddleware
  {
    private let limiter: KeyedQuotaLimiter<Key, ContinuousClock>
    private let fields: RateLimitFields
    private let key: @Sendable (Request, Context) -> Key?

    /// Creates a middleware whose clients have all of their permits.
    ///
    /// - Parameters:
    ///   - quota: The quota of each client.
    ///   - name: The name of the quota in the fields; printable ASCII.
    ///   - key: The client of a request; `nil` if the request takes no permit. Choose what a client
    ///     cannot change at will, such as an account or the address of the connection.
    ///   - onEvent: Called for each event of a request, with its client.
    /// - Throws: `InvalidArgumentError`, which names the argument that is not valid.
    public init(
      _ quota: Quota, name: String = "default",
      by key: @escaping @Sendable (Request, Context) -> Key?,
      onEvent: (@Sendable (Key, BlockEvent) -> Void)? = nil
    ) throws(InvalidArgumentError) {
      limiter = try KeyedQuotaLimiter(quota, onEvent: onEvent)
      fields = try RateLimitFields(quota, name: name)
      self.key = key
    }

    /// Takes a permit, or refuses the request.
    @concurrent public func handle(
      _ request: Request, context: Context,
      next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
      guard let key = key(request, context) else { return try await next(request, context) }
      let decision = limiter.tryAcquire(for: key)
      let fields = fields.fields(for: decision)
      guard decision.isAllowed else { throw HTTPError(.tooManyRequests, headers: fields) }
      do {
        var response = try await next(request, context)
        response.headers.append(contentsOf: fields)
        return response
      } catch var error as HTTPError {
        error.headers.append(contentsOf: fields)
        throw error
      } catch let error as any HTTPResponseError {
        throw ErrorWithFields(error: error, fields: fields)
      }
    }
  }

  /// An error whose response has further fields.
  @available(macOS 14.0, iOS 17.0, tvOS 17.0, visionOS 1.0, *)
  private struct ErrorWithFields: HTTPResponseError {
    let error: any HTTPResponseError
    let fields: HTTPFields

    var status: HTTPResponse.Status { error.status }

    func response(from request: Request, context: some RequestContext) throws -> Response {
      var response = try error.response(from: request, context: context)
      response.headers.append(contentsOf: fields)
      return response
    }
  }
#endif
