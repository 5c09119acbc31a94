// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PointsOfInterest",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "PointsOfInterest", targets: ["PointsOfInterest"]),
    .executable(name: "poi", targets: ["poi"]),
  ],
  traits: [
    .trait(
      name: "Live",
      description: """
        The store on disk and 'poi serve'. It needs GRDB, which needs SQLite's headers on Linux, and \
        FlyingFox.
        """)
  ],
  dependencies: [
    .package(name: "escapement", path: "../..", traits: ["MockServer"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
  ],
  targets: [
    // The app. It waits with `Task.sleep` and the building blocks, and reads the time from
    // `Date()`. It does not use virtual time.
    .target(
      name: "PointsOfInterest",
      dependencies: [
        .product(name: "Escapement", package: "escapement"),
        .product(name: "EscapementFoundation", package: "escapement"),
      ],
      resources: [.process("Resources")]),

    // The app's store on disk. It is empty without the trait, so that the first build is short.
    .target(
      name: "PlaceDatabase",
      dependencies: ["PointsOfInterest", .live("GRDB", package: "GRDB.swift")]),

    // The command line. Only its `Simulation` uses virtual time.
    .executableTarget(
      name: "poi",
      dependencies: [
        "PlaceDatabase", "PointsOfInterest",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Escapement", package: "escapement"),
        .product(name: "EscapementVirtualTime", package: "escapement"),
        .live("FlyingFox", package: "FlyingFox"),
        .live("FlyingSocks", package: "FlyingFox"),
      ]),

    // The pyramid: many tests of one type, fewer of several types, few of the whole app.
    .target(
      name: "TestSupport",
      dependencies: [
        "PointsOfInterest", .product(name: "EscapementTesting", package: "escapement"),
      ],
      path: "Tests/Support"),
    .testTarget(
      name: "UnitTests",
      dependencies: [
        "PointsOfInterest", "TestSupport", "poi",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "EscapementDoubles", package: "escapement"),
        .product(name: "EscapementTesting", package: "escapement"),
      ],
      path: "Tests/Unit"),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "PlaceDatabase", "PointsOfInterest", "TestSupport", "poi",
        .product(name: "EscapementDoubles", package: "escapement"),
        .product(name: "EscapementMockHTTP", package: "escapement"),
        .product(name: "EscapementTesting", package: "escapement"),
      ],
      path: "Tests/Integration"),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "PlaceDatabase", "PointsOfInterest", "TestSupport", "poi",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "EscapementMockHTTP", package: "escapement"),
        .product(name: "EscapementMockServer", package: "escapement"),
        .product(name: "EscapementTesting", package: "escapement"),
      ],
      path: "Tests/EndToEnd"),
  ],
  swiftLanguageModes: [.v6]
)

extension Target.Dependency {
  static func live(_ name: String, package: String) -> Self {
    .product(name: name, package: package, condition: .when(traits: ["Live"]))
  }
}

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
