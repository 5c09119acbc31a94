import AsyncHTTPClient
import EscapementGRPC
import EscapementHTTPClient
import EscapementHummingbird
import GRPCCore
import HTTPTypes
import Hummingbird
import Logging
import NIOEmbedded

/// Measures what the middleware adds to a request that does nothing.
@main enum OverheadBenchmark {
  static func main() async throws { try await run() }

  // Not on the main actor, from which each concurrent function would be a change of the thread.
  @concurrent private static func run() async throws {
    print("middleware                                        ns  allocations")
    try await client()
    try await interceptors()
    try await middleware()
    // The last, because a cancelled sleep stays with the runtime until its time has come.
    try await deadlines()
  }

  private static func client() async throws {
    try await report("HTTP: none") { _ = try await send(clientRequest) }
    var policy = HTTPClientPolicy()
    policy.timeout = nil
    try await measure("HTTP: retry, budget", policy)
    policy.circuitBreaker = .failureRate(percent: 50, over: .seconds(10))
    try await measure("HTTP: and circuit breaker", policy)
    policy.concurrencyLimit = .fixed(100)
    try await measure("HTTP: and concurrency limit", policy)
  }

  private static func interceptors() async throws {
    let context = ClientContext(
      descriptor: MethodDescriptor(fullyQualifiedService: "shop.Stock", method: "Get"),
      remotePeer: "", localPeer: "")
    let request = StreamingClientRequest<Int> { _ in }
    let next:
      @Sendable @concurrent (StreamingClientRequest<Int>, ClientContext) async throws ->
        StreamingClientResponse<Int> = { _, _ in
          let parts = AsyncThrowingStream<
            StreamingClientResponse<Int>.Contents.BodyPart, any Error
          > {
            $0.yield(.trailingMetadata([:]))
            $0.finish()
          }
          return StreamingClientResponse(
            metadata: [:], bodyParts: RPCAsyncSequence(wrapping: parts))
        }
    func consume(_ response: StreamingClientResponse<Int>) async throws {
      for try await _ in response.bodyParts {}
    }
    try await report("gRPC: none") { try await consume(try await next(request, context)) }
    let breaker = try CircuitBreakerInterceptor(.failureRate(percent: 50, over: .seconds(10)))
    try await report("gRPC: circuit breaker") {
      try await consume(
        try await breaker.intercept(request: request, context: context, next: next))
    }
    let throttle = AdaptiveThrottleInterceptor(try AdaptiveThrottle())
    try await report("gRPC: adaptive throttle") {
      try await consume(
        try await throttle.intercept(request: request, context: context, next: next))
    }
  }

  private static func middleware() async throws {
    let (request, context) = (serverRequest, serverContext)
    try await report("Hummingbird: none") { _ = try await next(request, context) }
    let quota = try QuotaMiddleware<BasicRequestContext, String>(
      .tokenBucket(capacity: 1_000_000_000, refill: 1_000_000_000, every: .seconds(1))
    ) { _, _ in "ann" }
    try await report("Hummingbird: quota") {
      _ = try await quota.handle(request, context: context, next: next)
    }
    let shedding = LoadSheddingMiddleware<BasicRequestContext, _>(
      try ConcurrencyLimiter(.fixed(64), maximumDelay: .milliseconds(500)))
    try await report("Hummingbird: load shedding") {
      _ = try await shedding.handle(request, context: context, next: next)
    }
  }

  private static func deadlines() async throws {
    let (request, context) = (serverRequest, serverContext)
    let deadline = try DeadlineMiddleware<BasicRequestContext>()
    try await report("Hummingbird: deadline") {
      _ = try await deadline.handle(request, context: context, next: next)
    }
    var policy = HTTPClientPolicy()
    try await measure("HTTP: retry, budget, timeout (default)", policy)
    policy.timeout = nil
    policy.hedgingDelay = .seconds(1)
    try await measure("HTTP: retry, budget, hedging", policy)
  }

  private static let clientRequest = HTTPClientRequest(
    url: "https://shop.example.com:8080/stock/tea?size=2")

  private static func send(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
    HTTPClientResponse()
  }

  private static func measure(_ name: String, _ policy: HTTPClientPolicy) async throws {
    let client = try ResilientHTTPClient(policy: policy) { try await send($0) }
    try await report(name) { _ = try await client.execute(clientRequest) }
  }

  private static let serverRequest = Request(
    head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"),
    body: RequestBody(buffer: .init()))

  private static let serverContext = BasicRequestContext(
    source: ApplicationRequestContextSource(
      channel: EmbeddedChannel(), logger: Logger(label: "overhead")))

  @concurrent private static func next(
    _ request: Request, _ context: BasicRequestContext
  ) async throws -> Response { Response(status: .ok) }
}
