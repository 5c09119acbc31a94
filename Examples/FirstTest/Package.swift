// swift-tools-version: 6.2
import PackageDescription

// The result of the article "Your first test in five minutes".
let package = Package(
  name: "Shop", platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [.package(name: "escapement", path: "../..")],
  targets: [
    .target(name: "Shop"),
    .testTarget(
      name: "ShopTests",
      dependencies: ["Shop", .product(name: "EscapementTesting", package: "escapement")]),
  ])
