#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import XCTest

  /// Work of the main queue runs the main run loop, while XCTest waits for an asynchronous method.
  final class NestedRunLoopXCTests: XCTestCase {
    override func setUpWithError() throws { try skipUnlessQueuesAreVirtual() }

    private func invoke(
      _ body: @escaping @Sendable (FixtureTestCase) async throws -> Void
    ) -> FixtureTestCase {
      let test = FixtureTestCase(name: "test") { test in
        try asyncTest { (test: FixtureTestCase) in { try await body(test) } }(
          test as! FixtureTestCase)()
      }
      test.options.leftovers = .ignore
      test.invokeTest()
      return test
    }

    private static func runMainLoop(times: Int) {
      for _ in 0..<times { DispatchQueue.main.async { RunLoop.main.run(until: Date() + 5) } }
    }

    func testAMethodMayEndBeforeAndAfterTheLoop() {
      for blocks in 1...2 {
        for (end, note) in [(Duration.seconds(2.5), "2.5"), (.seconds(17), "17.0")] {
          let test = invoke { test in
            Self.runMainLoop(times: blocks)
            try await Task.sleep(for: end)
            test.note("end")
          }
          XCTAssertEqual(test.notes, ["end at \(note)"], "\(blocks) blocks")
          XCTAssertEqual(test.failures, [], "\(blocks) blocks until \(end)")
        }
      }
    }

    func testAHostMayCrashWhoseBlockRunsTheLoop() {
      for blocks in 1...2 {
        for rest in [Duration.zero, .seconds(2.5), .seconds(20), nil] {
          let test = invoke { test in
            let host = try SimulatedNetwork().host("shop")
            host.run { Self.runMainLoop(times: blocks) }
            try await Task.sleep(for: .seconds(2.5))
            host.crash()
            if let rest {
              try await Task.sleep(for: rest)
              await MainActor.run { XCTAssert(Thread.isMainThread) }
            }
            test.note("end")
          }
          XCTAssertEqual(test.notes.count, 1, "\(blocks) blocks and \(rest, default: "no rest")")
          XCTAssertEqual(test.failures, [], "\(blocks) blocks and \(rest, default: "no rest")")
        }
      }
    }
  }
#endif
