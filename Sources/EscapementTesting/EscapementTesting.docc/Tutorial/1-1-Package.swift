// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Search", platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [.package(url: "https://github.com/<owner>/escapement", branch: "main")],
  targets: [
    .target(name: "Search", dependencies: [.product(name: "Escapement", package: "escapement")]),
    .testTarget(
      name: "SearchTests",
      dependencies: ["Search", .product(name: "EscapementTesting", package: "escapement")]),
  ])
