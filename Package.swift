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
        "EscapementTesting",
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
  static var asyncAlgorithms: Self {
    .product(name: "AsyncAlgorithms", package: "swift-async-algorithms")
  }
  static var configuration: Self {
    .product(
      name: "Configuration", package: "swift-configuration",
      condition: .when(traits: ["Configuration"]))
  }
  static var asyncHTTPClient: Self {
    .product(
      name: "AsyncHTTPClient", package: "async-http-client",
      condition: .when(traits: ["AsyncHTTPClient"]))
  }
  static var flyingSocks: Self {
    .product(
      name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["MockServer"]))
  }
  static var grpcCore: Self {
    .product(name: "GRPCCore", package: "grpc-swift-2", condition: .when(traits: ["GRPC"]))
  }
  static var httpTypes: Self {
    .product(
      name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Hummingbird"]))
  }
  static var hummingbird: Self {
    .product(
      name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Hummingbird"]))
  }
  static var issueReporting: Self {
    .product(name: "IssueReporting", package: "xctest-dynamic-overlay")
  }
  static var issueReportingTestSupport: Self {
    .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay")
  }
  static var logging: Self {
    .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"]))
  }
  static var metrics: Self {
    .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"]))
  }
  static var metricsTestKit: Self {
    .product(
      name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"]))
  }
  static var tracing: Self {
    .product(
      name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"]))
  }
  static var inMemoryTracing: Self {
    .product(
      name: "InMemoryTracing", package: "swift-distributed-tracing",
      condition: .when(traits: ["Tracing"]))
  }
  static var nioCore: Self {
    .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"]))
  }
  static var nioHTTP1: Self {
    .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"]))
  }
  static var nioPosix: Self {
    .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"]))
  }
  static var serviceLifecycle: Self {
    .product(
      name: "ServiceLifecycle", package: "swift-service-lifecycle",
      condition: .when(traits: ["ServiceLifecycle"]))
  }
  static var serviceLifecycleTestKit: Self {
    .product(
      name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
      condition: .when(traits: ["ServiceLifecycle"]))
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
