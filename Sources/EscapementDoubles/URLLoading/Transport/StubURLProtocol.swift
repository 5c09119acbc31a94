import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What Foundation sees of the stubs: one object for each request.
///
/// It only passes on what Foundation asks for; see `Exchange`.
class StubURLProtocol: URLProtocol {
  /// `nil` if the session is gone.
  private let exchange: Exchange?
  /// What loads the request if a real server answers it; on the loading queue only.
  var native: URLProtocol?

  /// Takes all requests of the session: what is not stubbed does not go to the network either.
  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// Is called on the thread, and in the task, that resumes the request.
  required init(
    request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    exchange = Slots.shared.session(of: Self.self).map { Exchange(request, $0) }
    super.init(request: request, cachedResponse: cachedResponse, client: client)
  }

  override func startLoading() {
    let client = LoadingClient(self)
    guard let exchange else { return client.fail(URLError(.cancelled)) {} }
    exchange.start(client)
  }

  override func stopLoading() {
    exchange?.stop(LoadingClient(self))
    native?.stopLoading()
  }
}
