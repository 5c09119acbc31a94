#if os(Linux)
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  /// How tests end that fail where Swift Testing does not know them, or that trap.
  @Suite(.virtualStandardClocks) struct ExploringInProcessesTests {
    @Test func `an expectation in a detached task ends the search of its test, and of no other`()
      async throws
    {
      let process = try await ProcessOfItsOwn(running: "DetachedExpectationTests")
      let output = process.output
      #expect(process.status == 1, "\(output)")
      #expect(process.count(of: "Expectation failed: (balance → 1) == 2") == 1, "\(output)")
      #expect(process.count(of: "Schedule 2 of 101 fails.") == 1, "\(output)")
      #expect(output.contains("does so with each expectation in a detached task"), "\(output)")
      #expect(output.contains("\"a test that passes\" passed"), "\(output)")
    }

    @Test(arguments: ["TrapTests", "ConcurrentTrapTests"])
    func `a trap is replayed and made small in the next run of its test`(suite: String) async throws
    {
      let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let failures = "\(folder)/failures"
      func run() async throws -> ProcessOfItsOwn {
        try await ProcessOfItsOwn(
          running: "EscapementTestingTests.\(suite)",
          environment: ["TMPDIR": folder, "ESCAPEMENT_FAILURES": failures])
      }
      let first = try await run()
      #expect(first.reason == .uncaughtSignal)
      let test = "EscapementTestingTests.\(suite)/`a test that traps`()"
      #expect(
        first.output.contains("process dies while '\(test)' runs under seed"), "\(first.output)")
      #expect(first.output.contains("The next run of this test makes the schedule small"))
      let second = try await run()
      #expect(second.reason == .exit && second.status == 1, "\(second.output)")
      #expect(second.output.contains("A schedule has killed the process"), "\(second.output)")
      #expect(
        second.count(of: "(replay: .virtualTime(order: .schedule(\"3\"))") == 1, "\(second.output)")
      #expect(second.count(of: "Precondition failed: a deposit is lost") == 1, "\(second.output)")
      #expect(second.count(of: ") overtakes task 2 (") == 1, "\(second.output)")
      #expect(
        try String(contentsOfFile: failures, encoding: .utf8)
          == "\(test)\t3\n")
    }
  }

  @Suite(.virtualStandardClocks) struct ProgramTrapProcessTests {
    @Test func `a trap outside of tests is named by its schedule in the next search`() async throws
    {
      let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      func run(_ variables: [String: String] = [:]) async throws -> String {
        let process = try await ProcessOfItsOwn(
          running: "EscapementTestingTests.ProgramTrapTests",
          environment: variables.merging(["TMPDIR": folder]) { $1 })
        #expect(process.reason == .uncaughtSignal)
        return process.output
      }
      let first = try await run()
      #expect(
        first.contains("after those before it. The next search tries its schedule"), "\(first)")
      let second = try await run()
      let schedule = try #require(second.firstMatch(of: #/under the schedule "([^"]+)"/#))
      let third = try await run(["ESCAPEMENT_SCHEDULE": String(schedule.1)])
      #expect(third.contains("the last ones came first"), "\(third)")
    }
  }

  private actor Visitors {
    private(set) var order: [Int] = []

    func add(_ visitor: Int) { order.append(visitor) }
  }

  /// Run only in a process of its own.
  @Suite(.enabled(if: ProcessOfItsOwn.isThis, "Run by the tests above.")) struct ProgramTrapTests {
    @Test func `a program that traps`() async throws {
      try await withVirtualTime(
        order: .exploring(1_000, .init(strategy: .newPairsFirst))
      ) { _ in
        let visitors = Visitors()
        await withTaskGroup { group in
          for task in 1...5 { group.addTask { await visitors.add(task) } }
        }
        // Too rare for the first runs, which do not follow from others.
        let order = await visitors.order
        precondition(order != [5, 4, 3, 2, 1], "the last ones came first")
      }
    }
  }

  /// Run only in a process of its own.
  @Suite(.enabled(if: ProcessOfItsOwn.isThis, "Run by the tests above."))
  struct DetachedExpectationTests {
    private static let isRunning = Log<Void>()
    private static let hasFailed = Log<Void>()

    @Test(.virtualTime(order: .exploring(100))) func `a test that fails`() async throws {
      await VirtualTime.current?.hold { await Self.isRunning.wait(for: 1) }
      await Task.detached {
        let balance = await balanceOfTwoDeposits()
        #expect(balance == 2)
        if balance != 2 { Self.hasFailed.append(()) }
      }.value
    }

    @Test(.virtualTime(order: .exploring(3))) func `a test that passes`() async {
      Self.isRunning.append(())
      await VirtualTime.current?.hold { await Self.hasFailed.wait(for: 1) }
    }
  }

  /// Run only in a process of its own.
  @Suite(.enabled(if: ProcessOfItsOwn.isThis, "Run by the tests above.")) struct TrapTests {
    @Test(.virtualTime(order: .exploring(100))) func `a test that traps`() async {
      let balance = await balanceOfTwoDeposits()
      precondition(balance == 2, "a deposit is lost")
    }
  }

  /// Run only in a process of its own.
  @Suite(.enabled(if: ProcessOfItsOwn.isThis, "Run by the tests above."))
  struct ConcurrentTrapTests {
    @Test(.virtualTime(order: .exploring(100, .init(concurrentRuns: 3))))
    func `a test that traps`() async {
      let balance = await balanceOfTwoDeposits()
      precondition(balance == 2, "a deposit is lost")
    }
  }
#endif
