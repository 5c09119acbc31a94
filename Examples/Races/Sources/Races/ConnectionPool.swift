/// Opens connections up to a limit.
package protocol ConnectionPool: Actor {
  init(limit: Int, analytics: Analytics)
  /// Returns whether there is a connection for the caller.
  func open() async -> Bool
  var openCount: Int { get }
}

/// Compares with the limit, reports, and then counts: several callers may pass the comparison.
package actor RacyConnectionPool: ConnectionPool {
  private let limit: Int
  private let analytics: Analytics
  package private(set) var openCount = 0

  package init(limit: Int, analytics: Analytics) {
    self.limit = limit
    self.analytics = analytics
  }

  package func open() async -> Bool {
    guard openCount < limit else { return false }
    await analytics.log("connection opened")
    openCount += 1
    return true
  }
}

/// Counts in the step in which it compares.
package actor FixedConnectionPool: ConnectionPool {
  private let limit: Int
  private let analytics: Analytics
  package private(set) var openCount = 0

  package init(limit: Int, analytics: Analytics) {
    self.limit = limit
    self.analytics = analytics
  }

  package func open() async -> Bool {
    guard openCount < limit else { return false }
    openCount += 1
    await analytics.log("connection opened")
    return true
  }
}
