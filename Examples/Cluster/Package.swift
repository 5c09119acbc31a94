// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Cluster",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "escapement", path: "../..", traits: ["ServiceLifecycle"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
  ],
  targets: [
    // A replicated ledger: members and a client. They know nothing of the tests.
    .target(
      name: "Cluster",
      dependencies: [
        .product(name: "Escapement", package: "escapement"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOFoundationCompat", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    // A member as a program.
    .executableTarget(
      name: "replica",
      dependencies: [
        "Cluster",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
      ]),
    .testTarget(
      name: "ClusterTests",
      dependencies: [
        "Cluster",
        .product(name: "EscapementModels", package: "escapement"),
        .product(name: "EscapementNetwork", package: "escapement"),
        .product(name: "EscapementSimulation", package: "escapement"),
        .product(name: "EscapementTesting", package: "escapement"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
