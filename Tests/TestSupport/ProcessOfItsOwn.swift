#if os(Linux)
  package import Foundation

  /// A process that runs some tests of this program, such as tests that fail or trap on purpose.
  package struct ProcessOfItsOwn {
    private static let variable = "TESTS_PROCESS_OF_ITS_OWN"

    /// Whether this process is such a one.
    package static var isThis: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    /// What it has printed.
    package let output: String
    package let reason: Process.TerminationReason
    package let status: Int32

    /// Runs the tests of Swift Testing whose names match a regular expression.
    package init(running filter: String, environment: [String: String] = [:]) async throws {
      try await self.init(["--testing-library", "swift-testing", "--filter", filter], environment)
    }

    /// Runs a test of XCTest, such as `Tests.ModelTests/testLoad`.
    package init(runningXCTest test: String, environment: [String: String] = [:]) async throws {
      try await self.init([test], environment)
    }

    /// Waits on a thread of its own: other tests need those of the pool.
    private init(_ arguments: [String], _ environment: [String: String]) async throws {
      self = try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(with: Result { try Self(waitingFor: arguments, environment) })
        }
      }
    }

    private init(waitingFor arguments: [String], _ environment: [String: String]) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment
        .filter { !$0.key.hasPrefix("ESCAPEMENT_") }
        .merging([Self.variable: "1", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
        .merging(environment) { $1 }
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      (reason, status) = (process.terminationReason, process.terminationStatus)
    }

    /// How often a text occurs in what it has printed.
    package func count(of text: String) -> Int { output.components(separatedBy: text).count - 1 }
  }
#endif
