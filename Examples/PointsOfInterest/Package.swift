// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PointsOfInterest",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "PointsOfInterest", targets: ["PointsOfInterest"]),
  ],
  dependencies: [
    .package(name: "escapement", path: "../.."),
  ],
  targets: [
    // The app. It waits with `Task.sleep`, asks `Date()` for the time, and knows nothing of Escapement.
    .target(name: "PointsOfInterest", resources: [.process("Resources")]),

    .testTarget(
      name: "PointsOfInterestTests",
      dependencies: [
        "PointsOfInterest",
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
