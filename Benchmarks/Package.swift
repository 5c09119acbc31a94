// swift-tools-version: 6.2
import PackageDescription

/// A benchmark is a folder in `Sources` and a line below; `swift run <name>` runs it.
func benchmark(_ name: String, with others: Target.Dependency...) -> Target {
  .executableTarget(
    name: name,
    dependencies: others + [
      "BenchmarkSupport",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
      .product(name: "EscapementClocks", package: "escapement"),
      .product(name: "EscapementVirtualTime", package: "escapement"),
    ])
}

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "escapement", path: "..", traits: ["MockServer"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    .target(name: "BenchmarkSupport"),

    // The sources of the timer queue once more, by a symbolic link: the queue is internal to
    // Escapement and in no product, and here it is measured alone, as the floor of the rest.
    .target(name: "Timers"),

    // Counts allocations, by functions that take the place of the C library's.
    .target(name: "CAllocations"),

    benchmark("virtual-time", with: "Timers"),
    benchmark(
      "stress", with: .product(name: "EscapementMockServer", package: "escapement"),
      .product(name: "EscapementNetwork", package: "escapement"),
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOPosix", package: "swift-nio")),
    .target(name: "CEpoll"),
    benchmark("parity", with: "CEpoll", .product(name: "EscapementNetwork", package: "escapement")),
    benchmark("exploration"),
    benchmark("histories", with: .product(name: "EscapementModels", package: "escapement")),
    benchmark("outside-a-scope"),
    benchmark("overload", with: .product(name: "Escapement", package: "escapement")),
    .target(name: "CReal"),
    benchmark(
      "reach", with: "CReal", .product(name: "EscapementNetwork", package: "escapement"),
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOPosix", package: "swift-nio")),
    benchmark(
      "blocks", with: "CAllocations", .product(name: "Escapement", package: "escapement"),
      .product(name: "EscapementFoundation", package: "escapement")),
    benchmark(
      "network", with: .product(name: "Escapement", package: "escapement"),
      .product(name: "EscapementMockHTTP", package: "escapement"),
      .product(name: "EscapementMockServer", package: "escapement"),
      .product(name: "FlyingFox", package: "FlyingFox"),
      .product(name: "FlyingSocks", package: "FlyingFox")),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where !["CAllocations", "CEpoll", "CReal"].contains(target.name) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
