// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PointsOfInterest",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "PointsOfInterest", targets: ["PointsOfInterest"]),
    .executable(name: "poi", targets: ["poi"]),
  ],
  dependencies: [
    .package(name: "escapement", path: "../..", traits: ["MockServer"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    // The app. It waits with `Task.sleep` and the building blocks, and reads the time from
    // `Date()`. It does not use virtual time.
    .target(
      name: "PointsOfInterest",
      dependencies: [.product(name: "Escapement", package: "escapement")],
      resources: [.process("Resources")]),

    // The command line. Only its `Simulation` uses virtual time.
    .executableTarget(
      name: "poi",
      dependencies: [
        "PointsOfInterest",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Escapement", package: "escapement"),
        .product(name: "EscapementVirtualTime", package: "escapement"),
      ]),

    .testTarget(
      name: "PointsOfInterestTests",
      dependencies: [
        "PointsOfInterest",
        .product(name: "EscapementDoubles", package: "escapement"),
        .product(name: "EscapementMockHTTP", package: "escapement"),
        .product(name: "EscapementMockServer", package: "escapement"),
        .product(name: "EscapementTesting", package: "escapement"),
      ]),
    .testTarget(
      name: "poiTests",
      dependencies: [
        "poi", "PointsOfInterest",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Escapement", package: "escapement"),
        .product(name: "EscapementTesting", package: "escapement"),
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
