import EscapementNetwork
import EscapementTesting
import Testing

/// Runs a test in virtual time twice: over the loopback interface of the machine, and over that of a simulated host.
struct LoopbackAndHost: TestTrait, SuiteTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await withoutActuallyEscaping(function) { function in
      try await withVirtualTime { _ in try await function() }
      try await withVirtualTime { _ in
        try await SimulatedNetwork().host("street").perform { try await function() }
      }
    }
  }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }
}

extension Trait where Self == LoopbackAndHost {
  static var loopbackAndHost: Self { Self() }
}
