// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Integrations",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "escapement", path: "..")
  ],
  targets: [
    // Without `pkgConfig`, whose flags SwiftPM refuses. The headers are in the default path.
    .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),

    // The stores, with the C clients of Redis and PostgreSQL.
    .target(name: "StoreClients", dependencies: ["CHiredis", "CPostgreSQL", .escapement]),

    // One of the processes that share a store in the tests.
    .executableTarget(name: "store-worker", dependencies: ["StoreClients", .escapement]),

    // The cost of a decision, beside a bare INCR and a bare UPDATE.
    .executableTarget(name: "shared", dependencies: ["StoreClients", .escapement]),

    .testTarget(
      name: "IntegrationTests", dependencies: ["StoreClients", "store-worker", .escapement]),
  ],
  swiftLanguageModes: [.v6]
)

extension Target.Dependency {
  static var escapement: Self { .product(name: "Escapement", package: "escapement") }
}

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
