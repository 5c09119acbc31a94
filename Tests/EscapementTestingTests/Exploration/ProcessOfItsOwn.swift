#if os(Linux)
  import Foundation

  /// A process that runs some tests of this program, such as tests that fail or trap on purpose.
  struct ProcessOfItsOwn {
    private static let variable = "TESTS_PROCESS_OF_ITS_OWN"

    /// Whether this process is such a one.
    static var isThis: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    /// What it has printed.
    let output: String
    let reason: Process.TerminationReason
    let status: Int32

    /// Runs the tests whose names match a regular expression.
    init(running filter: String, environment: [String: String] = [:]) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["--testing-library", "swift-testing", "--filter", filter]
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
    func count(of text: String) -> Int { output.components(separatedBy: text).count - 1 }
  }
#endif
