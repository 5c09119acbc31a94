#if Hummingbird
  public import Escapement
  public import HTTPTypes
  public import Hummingbird
  import _EscapementCore

  /// Gives each request a deadline, and cancels its handler when the deadline expires.
  ///
  /// ```swift
  /// router.add(middleware: try DeadlineMiddleware(default: .seconds(5), atMost: .seconds(30)))
  /// ```
  ///
  /// The client may ask for a time, in milliseconds, in a field of the request. A request whose
  /// deadline has expired gets the status 504 as soon as its handler has thrown the error of the
  /// deadline. A handler that ignores its cancellation answers late. One whose field is
  /// no positive integer gets 400. The handler reads its deadline with `Task.activeDeadline(for:)`,
  /// and `retry` minds it by itself. The deadline does not include the body of the response, which
  /// is written later.
  ///
  /// This type exists with the package trait `Hummingbird`.
  @available(macOS 14.0, iOS 17.0, tvOS 17.0, visionOS 1.0, *)
  public struct DeadlineMiddleware<Context: RequestContext>: RouterMiddleware {
    private let usual: Duration
    private let longest: Duration
    private let field: HTTPField.Name

    /// Creates a middleware.
    ///
    /// - Parameters:
    ///   - usual: The time of a request that asks for none; positive, and at most `longest`.
    ///   - longest: The longest time that a request gets; positive.
    ///   - field: The field with the milliseconds for which the client waits; by default that which
    ///     Envoy adds.
    /// - Throws: `InvalidArgumentError`, which names the argument that is not valid.
    public init(
      default usual: Duration = .seconds(30), atMost longest: Duration = .seconds(60),
      field: HTTPField.Name = HTTPField.Name("X-Envoy-Expected-Rq-Timeout-Ms")!
    ) throws(InvalidArgumentError) {
      guard longest > .zero else {
        throw InvalidArgumentError("atMost", longest, mustBe: "positive")
      }
      guard usual > .zero, usual <= longest else {
        throw InvalidArgumentError("default", usual, mustBe: "positive and at most \(longest)")
      }
      self.usual = usual
      self.longest = longest
      self.field = field
    }

    /// Handles a request before its deadline.
    @concurrent public func handle(
      _ request: Request, context: Context,
      next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
      guard let time = time(for: request.headers[field]) else {
        throw HTTPError(.badRequest, message: "\(field) must be a positive integer.")
      }
      let deadline = ContinuousClock().instant(in: time)
      do {
        return try await withDeadline(deadline) { try await next(request, context) }
      } catch let error as DeadlineExpiredError
        where error.deadline as? ContinuousClock.Instant == deadline
      {
        throw HTTPError(.gatewayTimeout)
      }
    }

    /// The time that a request gets; `nil` if the field is not valid.
    func time(for value: String?) -> Duration? {
      guard let value else { return usual }
      guard value.utf8.allSatisfy({ 48...57 ~= $0 }), value.contains(where: { $0 != "0" }) else {
        return nil
      }
      // Too many digits are too long a time.
      return min(.milliseconds(Int64(value) ?? .max), longest)
    }
  }
#endif
