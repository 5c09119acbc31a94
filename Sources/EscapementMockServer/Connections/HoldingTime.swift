#if MockServer
  import EscapementVirtualTime

  /// Runs a body that waits for real work.
  ///
  /// The time of the caller's scope, if any, stands meanwhile.
  func holdingTime<Result: Sendable>(_ body: () async throws -> Result) async rethrows -> Result {
    guard let time = VirtualTime.current else { return try await body() }
    return try await time.holdForDouble { try await body() }
  }
#endif
