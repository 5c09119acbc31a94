import EscapementTesting
import Testing

/// Counts the requests for a token.
private actor TokenServer {
  private(set) var requests = 0

  func makeToken() -> String {
    requests += 1
    return "token \(requests)"
  }
}

/// Notes what happens.
private actor Journal {
  func note(_ event: String) {}
}

private enum Before {
  actor TokenStore {
    private var refresh: Task<String, Never>?

    func token(from server: TokenServer, _ journal: Journal) async -> String {
      if let refresh { return await refresh.value }
      await journal.note("token needed")
      let refresh = Task { await server.makeToken() }
      self.refresh = refresh
      return await refresh.value
    }
  }

  @Suite struct Tests {
    @Test func `a race is found`() async throws {
      let report = try await withExploration(1_000) { _ in
        let (store, server, journal) = (TokenStore(), TokenServer(), Journal())
        async let first = store.token(from: server, journal)
        async let second = store.token(from: server, journal)
        _ = await (first, second)
        let requests = await server.requests
        #expect(requests == 1)
      }
      #expect(report.failure != nil)
    }
  }
}

private enum After {
  actor TokenStore {
    private var refresh: Task<String, Never>?

    func token(from server: TokenServer, _ journal: Journal) async -> String {
      if let refresh { return await refresh.value }
      let refresh = Task {
        await journal.note("token needed")
        return await server.makeToken()
      }
      self.refresh = refresh
      return await refresh.value
    }
  }

  @Suite struct Tests {
    @Test(.virtualTime(order: .exploring(1_000)))
    func `two callers make one request`() async {
      let (store, server, journal) = (TokenStore(), TokenServer(), Journal())
      async let first = store.token(from: server, journal)
      async let second = store.token(from: server, journal)
      _ = await (first, second)
      let requests = await server.requests
      #expect(requests == 1)
    }
  }
}
