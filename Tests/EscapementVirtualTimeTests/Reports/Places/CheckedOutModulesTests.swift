#if os(Linux)
  import Foundation
  import Testing

  @testable import EscapementVirtualTime

  @Suite struct CheckedOutModulesTests {
    /// Calls a body with a folder that has these folders, and removes it.
    private func withFolders(
      _ folders: [String], _ body: (_ root: String) throws -> Void
    ) throws {
      let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: root) }
      for folder in folders {
        try FileManager.default.createDirectory(
          at: root.appending(path: folder), withIntermediateDirectories: true)
        // SwiftPM writes it into each folder in which it builds.
        if folder.hasSuffix(".build/debug") {
          try Data().write(
            to: root.appending(path: folder.dropLast(5) + "workspace-state.json"))
        }
      }
      try body(root.path)
    }

    @Test func `modules of packages that were checked out beside a program are known`() throws {
      try withFolders([
        ".build/debug", ".build/checkouts/swift-nio/Sources/NIOCore",
        ".build/checkouts/swift-nio/Sources/NIOPosix", ".build/checkouts/tools",
        ".build/checkouts/shop/Sources/shop-client", "Sources/App", "Tests/AppTests",
        // No modules.
        ".build/checkouts/tools/Sources/App", ".build/checkouts/tools/Sources/AppTests",
      ]) { root in
        let names = CheckedOutModules.names(beside: "\(root)/.build/debug/AppTests.xctest")
        #expect(names == ["shop_client", "NIOCore", "NIOPosix"])
      }
    }

    @Test func `a program without such packages has no such modules`() throws {
      try withFolders(["checkouts/app/.build/debug", "checkouts/nio/Sources/NIO"]) { root in
        let program = "\(root)/checkouts/app/.build/debug/AppTests.xctest"
        #expect(CheckedOutModules.names(beside: program).isEmpty)
      }
      try withFolders(["debug", "checkouts/nio/Sources/NIO"]) { root in
        #expect(CheckedOutModules.names(beside: "\(root)/debug/AppTests.xctest").isEmpty)
      }
      try withFolders([".build/debug", "Sources/App"]) { root in
        #expect(CheckedOutModules.names(beside: "\(root)/.build/debug/AppTests.xctest").isEmpty)
        #expect(CheckedOutModules.names(beside: "AppTests.xctest").isEmpty)
        #expect(CheckedOutModules.names(beside: "").isEmpty)
      }
    }
  }
#endif
