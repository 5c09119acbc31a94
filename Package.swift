// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "escapement",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    // What apps and servers link.
    .library(name: "EscapementClocks", targets: ["EscapementClocks"]),
    .library(name: "Escapement", targets: ["Escapement"]),
    .library(name: "EscapementFoundation", targets: ["EscapementFoundation"]),
    .library(name: "EscapementSimulation", targets: ["EscapementSimulation"]),
    .library(name: "EscapementHTTPClient", targets: ["EscapementHTTPClient"]),
    .library(name: "EscapementGRPC", targets: ["EscapementGRPC"]),
    .library(name: "EscapementHummingbird", targets: ["EscapementHummingbird"]),
    // What simulations link.
    .library(name: "EscapementVirtualTime", targets: ["EscapementVirtualTime"]),
    // What tests link.
    .library(name: "EscapementTesting", targets: ["EscapementTesting"]),
    .library(name: "EscapementNetwork", targets: ["EscapementNetwork"]),
    .library(name: "EscapementModels", targets: ["EscapementModels"]),
    .library(name: "EscapementDoubles", targets: ["EscapementDoubles"]),
    .library(name: "EscapementMockHTTP", targets: ["EscapementMockHTTP"]),
    .library(name: "EscapementMockServer", targets: ["EscapementMockServer"]),
  ],
  traits: [
    .trait(
      name: "ServiceLifecycle",
      description: "Periodic tasks and schedules as services of swift-service-lifecycle."),
    .trait(
      name: "Logging",
      description: "Retries and events of blocks in logs of swift-log."),
    .trait(
      name: "Metrics",
      description: "Events of blocks as metrics of swift-metrics."),
    .trait(
      name: "Tracing",
      description: "Retries in spans of swift-distributed-tracing."),
    .trait(
      name: "Configuration",
      description: "Numbers of blocks from swift-configuration."),
    .trait(
      name: "MockServer",
      description: "The product EscapementMockServer, which needs FlyingFox."),
    .trait(
      name: "AsyncHTTPClient",
      description: "The product EscapementHTTPClient, for requests of AsyncHTTPClient."),
    .trait(
      name: "GRPC",
      description: "The product EscapementGRPC, with client interceptors for grpc-swift-2."),
    .trait(
      name: "Hummingbird",
      description: "The product EscapementHummingbird, with middleware for Hummingbird."),
  ],
  dependencies: [
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0", traits: []),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  ],
  targets: [
    // Layer 0: all other targets depend on it. It has no product, so code outside the package cannot.
    // Its symbols are public and not `package`, because generic code of `package` access is not
    // specialised across modules, `@inlinable` or not (Swift 6.3). A timer queue would be six times
    // as slow.
    .target(name: "_EscapementCore", dependencies: [.issueReporting]),

    // Layer 1: what apps and servers link.
    .target(name: "EscapementClocks", dependencies: ["_EscapementCore", .issueReporting]),
    .target(
      name: "Escapement",
      dependencies: [
        "_EscapementCore", "EscapementClocks", .serviceLifecycle, .logging, .metrics, .tracing,
        .configuration,
      ]),
    .target(
      name: "EscapementFoundation",
      dependencies: ["_EscapementCore", "Escapement", .issueReporting]
    ),
    // A program's own points in explored schedules, and the seam to virtual time.
    .target(name: "CSimulation"),
    .target(name: "EscapementSimulation", dependencies: ["CSimulation"]),

    // The blocks as middleware. Each is empty without its trait.
    .target(
      name: "EscapementHTTPClient",
      dependencies: [
        "_EscapementCore", "Escapement", .asyncHTTPClient, .nioCore, .nioHTTP1, .nioPosix,
      ]),
    .target(name: "EscapementGRPC", dependencies: ["_EscapementCore", "Escapement", .grpcCore]),
    .target(
      name: "EscapementHummingbird",
      dependencies: ["_EscapementCore", "Escapement", .hummingbird, .httpTypes]),

    // Layer 2: virtual time, without a test framework.
    .target(name: "CVirtualTime", cSettings: [.headerSearchPath(".")]),
    .target(
      name: "CReach", dependencies: ["CVirtualTime"], cSettings: [.headerSearchPath(".")]),
    .target(
      name: "EscapementVirtualTime",
      dependencies: [
        "_EscapementCore", "EscapementClocks", "CSimulation", "CVirtualTime", "CReach",
        .issueReporting,
      ]),

    // `Date` as a time of virtual time. It is not in the target above, which is free of Foundation.
    .target(name: "_EscapementDates", dependencies: ["EscapementVirtualTime"]),

    // Layer 3: what tests link.
    .target(
      name: "EscapementTesting",
      dependencies: [
        "_EscapementCore", "EscapementClocks", "Escapement", "EscapementVirtualTime",
        "_EscapementDates", .issueReporting, .issueReportingTestSupport,
      ]),
    .target(
      name: "EscapementNetwork",
      dependencies: ["_EscapementCore", "CVirtualTime", "CReach", .issueReporting]),
    .target(
      name: "EscapementModels",
      dependencies: ["_EscapementCore", "EscapementVirtualTime", .issueReporting]),
    .target(
      name: "EscapementDoubles",
      dependencies: [
        "_EscapementCore", "Escapement", "EscapementFoundation", "EscapementTesting",
        .issueReporting,
      ]),
    .target(
      name: "EscapementMockHTTP",
      dependencies: ["_EscapementCore", "EscapementFoundation", "EscapementTesting"]),
    .target(
      name: "EscapementMockServer",
      dependencies: ["_EscapementCore", "EscapementMockHTTP", "EscapementTesting", .flyingSocks]),

    // Tests, in the same order.
    .target(
      name: "TestSupport",
      dependencies: ["_EscapementCore", "CVirtualTime", "EscapementVirtualTime", .issueReporting],
      path: "Tests/TestSupport"),
    .target(name: "CEventFiles", path: "Tests/CEventFiles"),
    // Stand-ins for what SE-0526 will add to the standard library, in both spellings seen so far.
    .target(name: "StandardDeadlineWithBody", path: "Tests/StandardDeadlines/WithBody"),
    .target(
      name: "StandardDeadlineWithOperation", dependencies: ["StandardDeadlineWithBody"],
      path: "Tests/StandardDeadlines/WithOperation"),
    .testTarget(
      name: "_EscapementCoreTests", dependencies: ["_EscapementCore", "TestSupport"]),
    .testTarget(
      name: "EscapementClocksTests",
      dependencies: [
        "TestSupport", "_EscapementCore", "EscapementClocks", .issueReportingTestSupport,
      ]),
    .testTarget(
      name: "EscapementTests",
      dependencies: [
        "TestSupport", "StandardDeadlineWithBody", "StandardDeadlineWithOperation",
        "_EscapementCore", "Escapement", "EscapementDoubles", "EscapementTesting", .issueReporting,
        .serviceLifecycle, .serviceLifecycleTestKit, .logging, .metrics, .metricsTestKit, .tracing,
        .inMemoryTracing, .configuration,
      ]),
    .testTarget(
      name: "EscapementFoundationTests",
      dependencies: [
        "TestSupport", "Escapement", "EscapementFoundation", "EscapementDoubles",
        "EscapementTesting",
      ]),
    .testTarget(
      name: "EscapementSimulationTests",
      dependencies: ["TestSupport", "EscapementSimulation", "EscapementTesting"]),
    .testTarget(
      name: "EscapementVirtualTimeTests",
      dependencies: [
        "TestSupport", "_EscapementCore", "CEventFiles", "CVirtualTime", "EscapementTesting",
        .asyncAlgorithms,
      ]),
    .testTarget(
      name: "EscapementTestingTests",
      dependencies: [
        "TestSupport", "_EscapementCore", "Escapement", "EscapementDoubles", "EscapementTesting",
        .asyncAlgorithms, .issueReporting,
      ]),
    .testTarget(
      name: "EscapementNetworkTests",
      dependencies: [
        "TestSupport", "CEventFiles", "CVirtualTime", "_EscapementCore", "Escapement",
        "EscapementModels", "EscapementNetwork", "EscapementTesting",
      ]),
    .testTarget(
      name: "EscapementModelsTests",
      dependencies: [
        "TestSupport", "_EscapementCore", "Escapement", "EscapementModels", "EscapementTesting",
      ]),
    .testTarget(
      name: "EscapementDoublesTests",
      dependencies: [
        "TestSupport", "_EscapementCore", "Escapement", "EscapementFoundation",
        "EscapementDoubles", "EscapementTesting",
      ]),
    .testTarget(
      name: "EscapementMockHTTPTests",
      dependencies: [
        "TestSupport", "_EscapementCore", "EscapementDoubles", "EscapementMockHTTP",
        "EscapementTesting",
      ]),
    .testTarget(
      name: "EscapementMockServerTests",
      dependencies: [
        "TestSupport", "_EscapementCore", "EscapementMockHTTP", "EscapementMockServer",
        "EscapementTesting", .flyingSocks,
      ]),
    .testTarget(
      name: "XCTestIntegrationTests",
      dependencies: [
        "TestSupport", "Escapement", "EscapementDoubles", "EscapementFoundation",
        "EscapementNetwork", "EscapementTesting",
      ]),
    .testTarget(
      name: "RealTimeTests",
      dependencies: [
        "TestSupport", "_EscapementCore", "EscapementDoubles", "EscapementFoundation",
        "EscapementMockHTTP", "EscapementMockServer", "EscapementTesting",
      ]),
    // The examples of the articles.
    .testTarget(
      name: "SnippetTests",
      dependencies: [
        "EscapementClocks", "Escapement", "EscapementFoundation", "EscapementVirtualTime",
        "EscapementTesting", "EscapementNetwork", "EscapementModels", "EscapementDoubles",
        "EscapementMockHTTP", "EscapementMockServer",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

extension Target.Dependency {
  static let asyncAlgorithms = product(name: "AsyncAlgorithms", package: "swift-async-algorithms")
  static let issueReporting = product(name: "IssueReporting", package: "xctest-dynamic-overlay")
  static let issueReportingTestSupport = product(
    name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay")

  // Products that only a trait needs.
  static let asyncHTTPClient = product(
    "AsyncHTTPClient", of: "async-http-client", for: "AsyncHTTPClient")
  static let configuration = product(
    "Configuration", of: "swift-configuration", for: "Configuration")
  static let flyingSocks = product("FlyingSocks", of: "FlyingFox", for: "MockServer")
  static let grpcCore = product("GRPCCore", of: "grpc-swift-2", for: "GRPC")
  static let httpTypes = product("HTTPTypes", of: "swift-http-types", for: "Hummingbird")
  static let hummingbird = product("Hummingbird", of: "hummingbird", for: "Hummingbird")
  static let inMemoryTracing = product(
    "InMemoryTracing", of: "swift-distributed-tracing", for: "Tracing")
  static let logging = product("Logging", of: "swift-log", for: "Logging")
  static let metrics = product("Metrics", of: "swift-metrics", for: "Metrics")
  static let metricsTestKit = product("MetricsTestKit", of: "swift-metrics", for: "Metrics")
  static let nioCore = product("NIOCore", of: "swift-nio", for: "AsyncHTTPClient")
  static let nioHTTP1 = product("NIOHTTP1", of: "swift-nio", for: "AsyncHTTPClient")
  static let nioPosix = product("NIOPosix", of: "swift-nio", for: "AsyncHTTPClient")
  static let serviceLifecycle = product(
    "ServiceLifecycle", of: "swift-service-lifecycle", for: "ServiceLifecycle")
  static let serviceLifecycleTestKit = product(
    "ServiceLifecycleTestKit", of: "swift-service-lifecycle", for: "ServiceLifecycle")
  static let tracing = product("Tracing", of: "swift-distributed-tracing", for: "Tracing")

  private static func product(_ name: String, of package: String, for trait: String) -> Self {
    .product(name: name, package: package, condition: .when(traits: [trait]))
  }
}

let cTargets = ["CSimulation", "CVirtualTime", "CReach", "CEventFiles"]
// Snippets have the settings of a new package.
for target in package.targets where !(cTargets + ["SnippetTests"]).contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}

// Each folder has a link to the same source, which is compiled in each language mode.
for (name, mode, features) in [
  ("Swift5", .v5, []), ("Swift6", .v6, []),
  ("Swift5Nonsending", .v5, ["NonisolatedNonsendingByDefault"]),
  ("Swift6Nonsending", .v6, ["NonisolatedNonsendingByDefault"]),
] as [(String, SwiftLanguageMode, [String])] {
  package.targets.append(
    .testTarget(
      name: "\(name)Tests", dependencies: ["EscapementTesting"],
      path: "Tests/LanguageModeTests/\(name)",
      swiftSettings: [.swiftLanguageMode(mode)] + features.map { .enableUpcomingFeature($0) }))
}

// Only the documentation build needs the plugin.
if Context.environment["ESCAPEMENT_DOCS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
