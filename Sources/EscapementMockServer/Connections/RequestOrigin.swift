#if MockServer
  import EscapementMockHTTP
  import EscapementVirtualTime
  import Foundation

  /// The part of a server that its connections use: it has their requests answered.
  struct RequestOrigin: Sendable {
    let url: URL
    let stubs: HTTPStubTable
    let time: VirtualTime?
    let requests: AsyncStream<ServedRequest>.Continuation
    var clients: any ClientObserver = LoopbackClientObserver()

    /// Starts to answer a request, in the scope of the server; `nil` if its target is not a valid
    /// URL.
    func handOver(_ received: ReceivedRequest) -> ServedRequest? {
      guard let request = received.stubRequest(at: url) else { return nil }
      let served = ServedRequest(request, stubs, time, allowsChunks: !received.isHTTP10)
      if case .terminated = requests.yield(served) { served.cancel(byClient: false) }
      return served
    }
  }
#endif
