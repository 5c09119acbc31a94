import AsyncHTTPClient
import EscapementHTTPClient
import Hummingbird
import NIOCore
import Testing

@Suite struct RealTimeHTTPClientTests {
  @Test func `a refused request is sent again, in real time`() async throws {
    let requests = Log<String>()
    try await withServer(answering: { request in
      requests.append(request.uri.path) < 3
        ? Response(.serviceUnavailable, "busy") : Response(.ok, "tea")
    }) { server in
      var policy = HTTPClientPolicy()
      policy.backoff = .constant(.milliseconds(1))
      let client = try ResilientHTTPClient(server.client, policy: policy)
      #expect(
        try await client.execute(HTTPClientRequest(url: server.address)).text == "200 tea")
    }
  }
}
