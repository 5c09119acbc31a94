// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "escapement",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "EscapementClocks", targets: ["EscapementClocks"]),
    .library(name: "Escapement", targets: ["Escapement"]),
    .library(name: "EscapementFoundation", targets: ["EscapementFoundation"]),
    .library(name: "EscapementVirtualTime", targets: ["EscapementVirtualTime"]),
    .library(name: "EscapementTesting", targets: ["EscapementTesting"]),
    .library(name: "EscapementDoubles", targets: ["EscapementDoubles"]),
    .library(name: "EscapementMockServer", targets: ["EscapementMockServer"]),
  ],
  traits: [
    .trait(
      name: "ServiceLifecycle",
      description: "Periodic tasks as services of swift-service-lifecycle.")
  ],
  dependencies: [
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
  ],
  targets: [
    // Layer 0: what all others stand on. No product, so nobody outside can depend on it. Public and
    // not `package`, because generic code of `package` access is not specialised across modules,
    // `@inlinable` or not (Swift 6.3): a timer queue would be six times as slow.
    .target(name: "_EscapementCore"),

    // Layer 1: what apps link.
    .target(
      name: "EscapementClocks",
      dependencies: [
        "_EscapementCore",
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
      ]),

    .target(
      name: "Escapement",
      dependencies: [
        "_EscapementCore", "EscapementClocks",
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: .when(traits: ["ServiceLifecycle"])),
      ]),

    .target(
      name: "EscapementFoundation",
      dependencies: [
        "_EscapementCore", "EscapementClocks", "Escapement",
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
      ]),

    // Layer 2: what only simulations and tests link.
    .target(name: "CVirtualTime"),
    .target(
      name: "EscapementVirtualTime",
      dependencies: [
        "_EscapementCore", "EscapementClocks", "CVirtualTime",
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
      ]),
    .target(
      name: "EscapementTesting",
      dependencies: [
        "EscapementClocks", "EscapementVirtualTime", "Escapement",
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
        .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
      ]),

    .target(
      name: "EscapementDoubles",
      dependencies: [
        "_EscapementCore", "EscapementClocks", "Escapement", "EscapementFoundation",
        "EscapementVirtualTime",
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
        .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
      ]),

    .target(
      name: "EscapementMockServer",
      dependencies: [
        "_EscapementCore", "EscapementClocks", "EscapementVirtualTime", "EscapementDoubles",
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ]),

    // What several test targets need.
    .target(
      name: "TestSupport", dependencies: ["EscapementVirtualTime"], path: "Tests/TestSupport"),
    .testTarget(
      name: "_EscapementCoreTests", dependencies: ["_EscapementCore", "TestSupport"]),
    .testTarget(
      name: "EscapementClocksTests",
      dependencies: [
        "TestSupport", "_EscapementCore", "EscapementClocks",
        .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
      ]),
    .testTarget(
      name: "EscapementTests",
      dependencies: [
        "TestSupport", "_EscapementCore", "EscapementClocks", "Escapement", "EscapementTesting",
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
        .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: .when(traits: ["ServiceLifecycle"])),
        .product(
          name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
          condition: .when(traits: ["ServiceLifecycle"])),
      ]),
    .testTarget(
      name: "EscapementVirtualTimeTests",
      dependencies: [
        "TestSupport", "_EscapementCore", "CVirtualTime", "EscapementTesting",
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]),
    .testTarget(
      name: "EscapementTestingTests",
      dependencies: [
        "TestSupport", "EscapementTesting",
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
      ]),
    .testTarget(
      name: "XCTestIntegrationTests",
      dependencies: [
        "Escapement", "EscapementDoubles", "EscapementFoundation", "EscapementTesting",
      ]),
    .testTarget(
      name: "EscapementFoundationTests",
      dependencies: [
        "TestSupport", "Escapement", "EscapementFoundation", "EscapementDoubles",
        "EscapementTesting",
      ]),
    .testTarget(
      name: "EscapementDoublesTests",
      dependencies: [
        "TestSupport", "_EscapementCore", "Escapement", "EscapementClocks",
        "EscapementFoundation", "EscapementDoubles", "EscapementTesting",
        .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
      ]),
    .testTarget(
      name: "EscapementMockServerTests",
      dependencies: [
        "TestSupport", "_EscapementCore", "EscapementDoubles", "EscapementMockServer",
        "EscapementTesting",
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ]),
    .testTarget(
      name: "RealTimeTests",
      dependencies: [
        "_EscapementCore", "EscapementDoubles", "EscapementFoundation", "EscapementMockServer",
        "EscapementTesting",
      ]),
    // The examples that are tests, which `swift build` only compiles.
    .testTarget(
      name: "SnippetTests",
      dependencies: ["EscapementDoubles", "EscapementMockServer", "EscapementTesting"],
      path: "Snippets/Testing"),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CVirtualTime" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}

// One source, a link to it in each folder: what users write in the language mode of their choice.
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

// The gate builds the products with library evolution, as frameworks in binary form are.
if Context.environment["ESCAPEMENT_EVOLUTION"] != nil {
  for target in package.targets where target.name != "CVirtualTime" && target.type == .regular {
    target.swiftSettings?.append(.unsafeFlags(["-enable-library-evolution"]))
  }
}

// Only who builds the documentation needs the plugin.
if Context.environment["ESCAPEMENT_DOCS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
