#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Tells an app whether it was launched to run tests.
public enum TestRun {
  /// Whether this process was launched to run tests.
  ///
  /// An app that hosts unit tests is launched before the tests begin. Work that it does at launch,
  /// such as network requests or a first screen, delays and disturbs the tests. Skip it:
  ///
  /// ```swift
  /// func applicationDidFinishLaunching() {
  ///   guard !TestRun.isActive else { return }
  ///   showFirstScreen()
  /// }
  /// ```
  ///
  /// The value is `true`
  /// - if the environment variable `IS_UNIT_TESTING` is `1`;
  /// - in the runners of Swift Testing and XCTest that SwiftPM launches;
  /// - in tests that Xcode runs, with or without a host app;
  /// - under `bazel test`.
  ///
  /// If `IS_UNIT_TESTING` is `0`, the value is `false`, whatever the other rules say. Other values
  /// of the variable have no effect.
  ///
  /// A program that a test launches inherits the environment: `IS_UNIT_TESTING` and the variables
  /// of Xcode and Bazel. It does not inherit the arguments by which SwiftPM's runners are
  /// recognized. So set `IS_UNIT_TESTING` for such a program: to `1` for an app that a
  /// user-interface test drives, to `0` for a tool that has to behave as in production.
  ///
  /// The value is computed once per process, from its arguments and environment. No framework for
  /// tests is linked. Use the value only to skip work. Code that does other work in tests is not
  /// tested in the form that ships.
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

  /// The environment variables that Xcode and Bazel set for the processes that they launch.
  private static let variables = [
    "XCTestBundlePath", "XCTestBundleInjectPath", "XCTestConfigurationFilePath",
    "XCTestSessionIdentifier", "BAZEL_TEST",
  ]

  private static func isRunner(_ arguments: [String]) -> Bool {
    // Some runners get this argument, and can have any name. The others are known by their names.
    if arguments.dropFirst().contains("--testing-library") { return true }
    guard let program = arguments.first?.split(separator: "/").last else { return false }
    return program == "xctest" || program == "swiftpm-testing-helper"
      || program.hasSuffix(".xctest") || program.hasSuffix("-test-runner")
  }
}
