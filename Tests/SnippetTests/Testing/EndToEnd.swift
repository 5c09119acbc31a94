// Code that loads from a server, and its tests with a real server.

#if MockServer
  import EscapementMockHTTP
  import EscapementMockServer
  import EscapementTesting
  import Foundation
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  struct News: Codable, Equatable {
    var title: String
  }

  struct NewsService {  // app code: only the URL of the server is injected
    let server: URL
    let session = URLSession.shared

    /// Loads the news, and tries again if the server is busy.
    func latest() async throws -> News {
      for seconds in [1, 2, 4, 8] {
        let url = server.appendingPathComponent("news")
        let (data, response) = try await session.data(from: url)
        if (response as? HTTPURLResponse)?.statusCode == 200 {
          return try JSONDecoder().decode(News.self, from: data)
        }
        try await Task.sleep(for: .seconds(seconds))
      }
      throw URLError(.badServerResponse)
    }
  }

  @Test(.virtualTime)
  func `news are tried again when the server has no time`() async throws {
    try await withMockServer { server in
      let stub = server.stub(.get, "/news", returns: .status(503)).times(3)
        .then(.json(News(title: "It works")))
      let news = try await NewsService(server: server.url).latest()
      #expect(news == News(title: "It works"))
      #expect(stub.callCount == 4)
    }
  }

  @Test func `news that break off are an error`() async throws {
    try await withMockServer { server in
      server.stub(.get, "/news", returns: .json(News(title: "Long")).truncated(after: 10))
      await #expect(throws: URLError.self) {
        _ = try await NewsService(server: server.url).latest()
      }
    }
  }
#endif
