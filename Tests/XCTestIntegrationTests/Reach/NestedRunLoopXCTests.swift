#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import XCTest

  /// How work comes to the main thread while that runs the main run loop.
  private enum Path: CaseIterable {
    case block, task, timer, perform, blockOfTimer, timerOfBlock, performOfTask

    func callAsFunction(_ work: @escaping @Sendable () -> Void) {
      switch self {
      case .block: DispatchQueue.main.async(execute: work)
      case .task: Task { @MainActor in work() }
      case .timer:
        let timer = Timer(fire: Date() + 0.1, interval: 0, repeats: false) { _ in work() }
        RunLoop.main.add(timer, forMode: .default)
      case .perform: RunLoop.main.perform(work)
      case .blockOfTimer: Path.timer { Path.block(work) }
      case .timerOfBlock: Path.block { Path.timer(work) }
      case .performOfTask: Path.task { Path.perform(work) }
      }
    }
  }

  /// Work that runs the main run loop inside that loop, for about five seconds.
  private enum Work: CaseIterable {
    case run, runOften, runOnce, nest, semaphore

    func callAsFunction() {
      switch self {
      case .run: RunLoop.main.run(until: Date() + 5)
      case .runOften:
        let end = Date() + 5
        while Date() < end { _ = RunLoop.main.run(mode: .default, before: Date() + 0.3) }
      case .runOnce: _ = RunLoop.main.run(mode: .default, before: Date() + 5)
      case .nest:
        DispatchQueue.main.async { RunLoop.main.run(until: Date() + 2) }
        RunLoop.main.run(until: Date() + 5)
      case .semaphore: _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 5)
      }
    }
  }

  /// Code on the main thread runs the main run loop, while the thread runs that loop already.
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

    /// Makes a check for each way to run the loop.
    private func forEachWay(_ check: (Path, Work, String) -> Void) {
      for path in Path.allCases {
        for work in Work.allCases { check(path, work, "\(path) that does \(work)") }
      }
    }

    func testAnAsynchronousMethodMayEndInsideTheLoop() {
      forEachWay { path, work, way in
        let test = invoke { test in
          path { work() }
          try await Task.sleep(for: .seconds(2.5))
          test.note("end")
        }
        XCTAssertEqual(test.notes, ["end at 2.5"], way)
        XCTAssertEqual(test.failures, [], way)
      }
    }

    func testALoopOfTheTestMayEndInsideTheLoop() {
      forEachWay { path, work, way in
        let test = FixtureTestCase(name: "test") { test in
          path { work() }
          RunLoop.main.run(until: Date() + 2.5)
          (test as! FixtureTestCase).note("end")
        }
        test.options.leftovers = .ignore
        test.invokeTest()
        XCTAssertEqual(test.failures, [], way)
      }
    }

    func testALoopEndsAfterWorkOfTheMainQueue() {
      for path in [Path.block, .task, .blockOfTimer] {
        let test = FixtureTestCase(name: "test") { test in
          nonisolated(unsafe) var isDone = false
          path {
            DispatchQueue.main.asyncAfter(deadline: .now() + 1) { isDone = true }
          }
          while !isDone { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
          (test as! FixtureTestCase).note("end")
        }
        test.options.leftovers = .ignore
        test.invokeTest()
        XCTAssertEqual(test.notes.count, 1, "\(path)")
        XCTAssertEqual(test.failures, [], "\(path)")
      }
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
