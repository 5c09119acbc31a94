// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Races",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "escapement", path: "../..")],
  targets: [
    // Code with a race each, and the same code without it. It knows nothing of the tests.
    .target(name: "Races"),
    .testTarget(
      name: "RacesTests",
      dependencies: ["Races", .product(name: "EscapementTesting", package: "escapement")]),
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
