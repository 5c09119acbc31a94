/// Answers requests for an access token; only one request to the server is to be under way.
package protocol TokenStore: Actor {
  init(analytics: Analytics, request: @escaping @Sendable () async throws -> String)
  func token() async throws -> String
}

/// Looks for a request, logs, and only then begins one: a second caller comes in while it logs.
package actor RacyTokenStore: TokenStore {
  private let analytics: Analytics
  private let request: @Sendable () async throws -> String
  private var refresh: Task<String, any Error>?

  package init(analytics: Analytics, request: @escaping @Sendable () async throws -> String) {
    self.analytics = analytics
    self.request = request
  }

  package func token() async throws -> String {
    if let refresh { return try await refresh.value }
    await analytics.log("token refresh")
    let refresh = Task { [request] in try await request() }
    self.refresh = refresh
    return try await refresh.value
  }
}

/// Begins the request in the same step in which it looks for one.
package actor FixedTokenStore: TokenStore {
  private let analytics: Analytics
  private let request: @Sendable () async throws -> String
  private var refresh: Task<String, any Error>?

  package init(analytics: Analytics, request: @escaping @Sendable () async throws -> String) {
    self.analytics = analytics
    self.request = request
  }

  package func token() async throws -> String {
    if let refresh { return try await refresh.value }
    let refresh = Task { [analytics, request] in
      await analytics.log("token refresh")
      return try await request()
    }
    self.refresh = refresh
    return try await refresh.value
  }
}
