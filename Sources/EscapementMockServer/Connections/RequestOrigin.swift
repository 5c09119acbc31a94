#if MockServer
  import EscapementMockHTTP
  import EscapementVirtualTime
  import Foundation

  /// What the connections of a server know of it: who answers their requests.
  struct RequestOrigin: Sendable {
    let url: URL
    let stubs: HTTPStubTable
    let time: VirtualTime?
    let requests: AsyncStream<ServedRequest>.Continuation

    /// Has a request answered where the server was started; `nil` if its target is no URL.
    func handOver(_ received: ReceivedRequest) -> ServedRequest? {
      guard let request = received.stubRequest(at: url) else { return nil }
      let served = ServedRequest(request, stubs, time)
      if case .terminated = requests.yield(served) { served.cancel(byClient: false) }
      return served
    }
  }
#endif
