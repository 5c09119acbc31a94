import EscapementNetwork
import EscapementTesting
import Testing

/// Runs a test in virtual time three times: over the loopback interface of the machine, and over that of a simulated
/// host, without a latency and with one of 20 ms.
struct LoopbackAndHost: TestTrait, SuiteTrait, TestScoping {
  @TaskLocal fileprivate static var latency = Duration.zero

  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await withoutActuallyEscaping(function) { function in
      try await withVirtualTime { _ in try await function() }
      for latency in [Duration.zero, .milliseconds(20)] {
        try await Self.$latency.withValue(latency) {
          try await withVirtualTime { _ in
            let network = try SimulatedNetwork()
            let street = network.host("street")
            network.setLink(between: street, and: street, LinkQuality(latency: latency))
            try await street.perform { try await function() }
          }
        }
      }
    }
  }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }
}

extension Trait where Self == LoopbackAndHost {
  static var loopbackAndHost: Self { Self() }
}

/// The time of so many ways between the client and the server.
func ways(_ count: Int) -> Duration { LoopbackAndHost.latency * count }
