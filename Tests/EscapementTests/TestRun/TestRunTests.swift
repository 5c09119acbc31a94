import TestSupport
import Testing

@testable import Escapement

@Suite struct TestRunTests {
  struct Launch: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    var environment: [String: String] = [:]
    let isTest: Bool

    var testDescription: String { name }
  }

  static let launches = [
    Launch(
      name: "Swift Testing by SwiftPM on Linux",
      arguments: ["/p/.build/debug/PTests.xctest", "--testing-library", "swift-testing"],
      isTest: true),
    Launch(
      name: "XCTest by SwiftPM on Linux", arguments: ["/p/.build/debug/PTests.xctest"],
      isTest: true),
    Launch(
      name: "Swift Testing by SwiftPM with Swift Build",
      arguments: ["/p/.build/out/PTests-test-runner", "--testing-library", "swift-testing"],
      isTest: true),
    Launch(
      name: "XCTest by SwiftPM with Swift Build", arguments: ["/p/.build/out/PTests-test-runner"],
      isTest: true),
    Launch(
      name: "Swift Testing by SwiftPM on macOS",
      arguments: ["/usr/libexec/swift/pm/swiftpm-testing-helper", "--test-bundle-path", "/p"],
      isTest: true),
    Launch(
      name: "XCTest by SwiftPM on macOS",
      arguments: ["/Xcode/usr/bin/xctest", "/p/.build/debug/PTests.xctest"], isTest: true),
    Launch(
      name: "an app that hosts tests in Xcode", arguments: ["/p/App.app/App"],
      environment: ["XCTestConfigurationFilePath": "", "XCTestSessionIdentifier": "1"],
      isTest: true),
    Launch(
      name: "an app that hosts tests in an older Xcode", arguments: ["/p/App.app/App"],
      environment: ["XCTestBundleInjectPath": "/p"], isTest: true),
    Launch(
      name: "a bundle of tests in Xcode", arguments: ["/p/App.app/App"],
      environment: ["XCTestBundlePath": "/p"], isTest: true),
    Launch(
      name: "bazel test", arguments: ["/p/tests"], environment: ["BAZEL_TEST": "1"], isTest: true),
    Launch(
      name: "an app with IS_UNIT_TESTING=1", arguments: ["/p/App.app/App"],
      environment: ["IS_UNIT_TESTING": "1"], isTest: true),
    Launch(
      name: "a runner with IS_UNIT_TESTING=0",
      arguments: ["/p/PTests.xctest", "--testing-library", "swift-testing"],
      environment: ["IS_UNIT_TESTING": "0"], isTest: false),
    Launch(
      name: "a child of a test in Xcode with IS_UNIT_TESTING=0", arguments: ["/p/tool"],
      environment: ["XCTestBundlePath": "/p", "IS_UNIT_TESTING": "0"], isTest: false),
    Launch(
      name: "a child of a test by SwiftPM", arguments: ["/p/tool"],
      environment: ["PATH": "/bin"], isTest: false),
    Launch(
      name: "a tool with an empty IS_UNIT_TESTING", arguments: ["/p/tool"],
      environment: ["IS_UNIT_TESTING": ""], isTest: false),
    Launch(
      name: "a runner with another value of IS_UNIT_TESTING", arguments: ["/p/PTests.xctest"],
      environment: ["IS_UNIT_TESTING": "maybe"], isTest: true),
    Launch(name: "a plain program", arguments: ["/p/poi", "timelapse"], isTest: false),
    Launch(
      name: "a tool with a bundle of tests as an argument",
      arguments: ["/bin/ls", "/p/PTests.xctest"],
      isTest: false),
    Launch(
      name: "a tool in a folder with the name of a bundle of tests",
      arguments: ["/p/PTests.xctest/tool"],
      isTest: false),
    Launch(
      name: "a tool whose name begins like that of a runner", arguments: ["/p/xctests"],
      isTest: false),
    Launch(name: "a process without arguments", arguments: [], isTest: false),
  ]

  @Test(arguments: launches)
  func `a test run is recognized by its arguments and environment`(launch: Launch) {
    let isTest = TestRun.isActive(arguments: launch.arguments) { launch.environment[$0] }
    #expect(isTest == launch.isTest)
  }

  @Test func `the process of these tests is a test run`() {
    #expect(TestRun.isActive)
  }

  @Test(.takingTurns) func `the process of an exit test is a test run`() async {
    await #expect(processExitsWith: .success) {
      #expect(TestRun.isActive)
    }
  }
}
