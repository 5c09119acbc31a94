#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// What an app can know of the tests it is launched for.
public enum TestRun {
  /// Whether this process was launched to run tests.
  ///
  /// An app that hosts unit tests is launched before they begin. What it does then (network requests,
  /// a first screen) makes the tests wait and disturbs them, and can be left out:
  ///
  /// ```swift
  /// func applicationDidFinishLaunching() {
  ///   guard !TestRun.isActive else { return }
  ///   showFirstScreen()
  /// }
  /// ```
  ///
  /// True for the runners of Swift Testing and XCTest that SwiftPM launches, for tests that run in Xcode,
  /// hosted by an app or not, under `bazel test`, and where the environment variable `IS_UNIT_TESTING`
  /// is `1`. That variable decides first, and `0` denies what the others say. Other values of it do
  /// not count.
  ///
  /// A program that a test launches inherits the variables of Xcode and Bazel, and `IS_UNIT_TESTING`,
  /// but not the arguments by which SwiftPM's runners are known. So for such a program set the variable
  /// to what you mean: `1` for the app that a user-interface test drives, `0` for a tool that is
  /// to behave as it does in production.
  ///
  /// Decided once in a process, from its arguments and environment, without linking a framework for
  /// tests. Leave out work with it; do not do other work, which would be tested in the place of the
  /// real one.
  public static let isActive = isActive(arguments: CommandLine.arguments) { name in
    getenv(name).map { String(cString: $0) }
  }

  static func isActive(
    arguments: [String], environment: (_ name: String) -> String?
  ) -> Bool {
    switch environment("IS_UNIT_TESTING") {
    case "1": return true
    case "0": return false
    default: break
    }
    return variables.contains { environment($0) != nil } || isRunner(arguments)
  }

  /// What Xcode and Bazel tell the processes that they launch.
  private static let variables = [
    "XCTestBundlePath", "XCTestBundleInjectPath", "XCTestConfigurationFilePath",
    "XCTestSessionIdentifier", "BAZEL_TEST",
  ]

  private static func isRunner(_ arguments: [String]) -> Bool {
    // Not every runner is told this. Those that are can have any name.
    if arguments.dropFirst().contains("--testing-library") { return true }
    guard let program = arguments.first?.split(separator: "/").last else { return false }
    return program == "xctest" || program == "swiftpm-testing-helper"
      || program.hasSuffix(".xctest") || program.hasSuffix("-test-runner")
  }
}
