// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Servers",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(
      name: "escapement", path: "../..",
      traits: ["ServiceLifecycle", "AsyncHTTPClient", "GRPC", "Hummingbird"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.0"),
    .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // A server, a client and a job. They know nothing of the tests.
    .target(
      name: "Servers",
      dependencies: [
        .product(name: "Escapement", package: "escapement"),
        .product(name: "EscapementHTTPClient", package: "escapement"),
        .product(name: "EscapementHummingbird", package: "escapement"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOFoundationCompat", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    // A day of a shop in virtual time, and a picture of it.
    .executableTarget(
      name: "ShopDay",
      dependencies: [
        "Servers",
        .product(name: "Escapement", package: "escapement"),
        .product(name: "EscapementVirtualTime", package: "escapement"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    // The cost of the middleware for a request.
    .executableTarget(
      name: "Overhead",
      dependencies: [
        "CAllocations",
        .product(name: "EscapementHTTPClient", package: "escapement"),
        .product(name: "EscapementGRPC", package: "escapement"),
        .product(name: "EscapementHummingbird", package: "escapement"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "GRPCCore", package: "grpc-swift-2"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ]),
    // A link to the target of this name in the benchmarks.
    .target(name: "CAllocations"),
    .testTarget(
      name: "ServersTests",
      dependencies: [
        "Servers", "ShopDay",
        .product(name: "Escapement", package: "escapement"),
        .product(name: "EscapementNetwork", package: "escapement"),
        .product(name: "EscapementTesting", package: "escapement"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "GRPCCore", package: "grpc-swift-2"),
        .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .testTarget(
      name: "MiddlewareTests",
      dependencies: [
        .product(name: "Escapement", package: "escapement"),
        .product(name: "EscapementHTTPClient", package: "escapement"),
        .product(name: "EscapementGRPC", package: "escapement"),
        .product(name: "EscapementHummingbird", package: "escapement"),
        .product(name: "EscapementTesting", package: "escapement"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "GRPCCore", package: "grpc-swift-2"),
        .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CAllocations" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
