import Dispatch
import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

private struct LostUpdate: Error {}

@MainActor private final class Till {
  private(set) var balance = 100

  func pay() async {
    guard balance >= 100 else { return }
    await record()
    balance -= 100
  }

  /// Is asynchronous, but never suspends.
  private func record() async {}
}

private actor Visited {
  func visit(_ task: Int, _ order: Log<Int>) { order.append(task) }
}

/// Makes two deposits side by side.
private func makeTwoDeposits() async throws {
  guard await balanceOfTwoDeposits() == 2 else { throw LostUpdate() }
}

@Suite(.virtualStandardClocks) struct WithExplorationTests {
  @Test func `a plain run does not lose an update`() async throws {
    try await withVirtualTime { _ in try await makeTwoDeposits() }
  }

  @Test(arguments: [
    ExplorationStrategy.byTurns, .newPairsFirst, .uniform, .random, .probabilistic(depth: 2),
  ])
  func `a lost update is found and made small`(strategy: ExplorationStrategy) async throws {
    let exploration = ExplorationOptions(strategy: strategy)
    let report = try await withExploration(1_000, exploration) { _ in
      try await makeTwoDeposits()
    }
    let failure = try #require(report.failure)
    #expect(failure.schedule.overtakings.count == 1)
    #expect(failure.messages == ["LostUpdate()"])
    #expect(failure.steps.count == 1)
    await #expect(throws: LostUpdate.self) {
      try await withVirtualTime(order: .schedule("\(failure.schedule)")) { _ in
        try await makeTwoDeposits()
      }
    }
    let seed = try #require(failure.seed)
    await #expect(throws: LostUpdate.self) {
      try await withVirtualTime(order: .seed(seed, strategy)) { _ in try await makeTwoDeposits() }
    }
  }

  @Test(arguments: [ExplorationStrategy.newPairsFirst, .uniform])
  func `a schedule that follows from the runs before has no seed`(
    strategy: ExplorationStrategy
  ) async throws {
    // Too rare for the first runs.
    let report = try await withExploration(1_000, .init(strategy: strategy)) { _ in
      let (visited, order) = (Visited(), Log<Int>())
      await withTaskGroup { group in
        for task in 1...5 { group.addTask { await visited.visit(task, order) } }
      }
      guard order.entries != [5, 4, 3, 2, 1] else { throw LostUpdate() }
    }
    let failure = try #require(report.failure)
    #expect(failure.number > 20)
    #expect(failure.seed == nil)
  }

  @Test(arguments: [ExplorationStrategy.byTurns, .newPairsFirst, .uniform])
  func `an exploration draws the same schedules each time`(
    strategy: ExplorationStrategy
  ) async throws {
    var explorations: [[[Int]]] = []
    for _ in 0..<2 {
      let orders = Lock<[[Int]]>([])
      let report = try await withExploration(100, .init(strategy: strategy)) { _ in
        let order = Log<Int>()
        let (first, second) = (Visited(), Visited())
        await withTaskGroup { group in
          for task in 1...3 {
            group.addTask {
              await first.visit(task, order)
              await second.visit(task, order)
            }
          }
        }
        orders.withLock { $0.append(order.entries) }
      }
      #expect(report.failure == nil)
      #expect(report.firstDifference == nil)
      explorations.append(orders.withLock(\.self))
    }
    #expect(explorations[0] == explorations[1])
  }

  @MainActor @Test(arguments: 0..<10)
  func `a seed found for a caller on the main actor is replayed there`(part: UInt64) async throws {
    let exploration = ExplorationOptions(strategy: .random, firstSeed: part * 10)
    let report = try await withExploration(100, exploration) { _ in try await makeTwoDeposits() }
    let seed = try #require(report.failure?.seed)
    await #expect(throws: LostUpdate.self) {
      try await withVirtualTime(order: .seed(seed, .random)) { _ in try await makeTwoDeposits() }
    }
  }

  @Test func `a negative number of seeds is refused, and the largest number ends with a failure`()
    async throws
  {
    await #expect(throws: VirtualTimeError.invalidOption("exploring: -1; use 0 or more seeds")) {
      try await withExploration(-1) { _ in }
    }
    let report = try await withExploration(.max) { _ in try await makeTwoDeposits() }
    #expect(report.failure != nil)
  }

  @Test func `a report describes itself in a few lines`() async throws {
    var report = try await withExploration(10) { _ in try await makeTwoDeposits() }
    #expect("\(report)".contains("The smallest has 1 overtaking"))
    report = try await withExploration(10) { _ in }
    #expect("\(report)" == "No schedule fails; 11 of 11 were tried, with 1 different order.")
  }

  @Test func `a failed expectation is a failure`() async throws {
    let report = try await withExploration(0) { _ in #expect(Bool(false)) }
    #expect(report.failure?.schedule == .plain)
    #expect(report.failure?.messages.count == 1)
  }

  @Test func `a stuck body is a failure`() async throws {
    let options = VirtualTimeOptions(stallLimit: .milliseconds(20))
    let report = try await withExploration(100, options: options) { _ in
      do { try await makeTwoDeposits() } catch {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    #expect(report.failure?.messages.first?.contains("is stuck at +0.0 seconds") == true)
  }

  @Test func `that a body is stuck is confirmed in real time once`() async throws {
    let options = VirtualTimeOptions(stallLimit: .milliseconds(20))
    // A first seed that passes, so that it is run twice.
    let exploration = ExplorationOptions(firstSeed: 4, stopsAtFirstFailure: false)
    let runs = Log<Void>()
    let report = try await withExploration(100, exploration, options: options) { _ in
      runs.append(())
      do { try await makeTwoDeposits() } catch {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    let failure = try #require(report.failure)
    #expect(report.schedulesFailed > 1)
    // Besides: the first seed twice to compare, once in real time, and the smallest schedule.
    #expect(runs.count == report.schedulesTried + 2 + 1 + failure.shrinkAttempts + 1)
  }

  @Test func `a body is endless after a hundred times as many jobs as in the plain order`()
    async throws
  {
    let report = try await withExploration(100) { _ in
      do { try await makeTwoDeposits() } catch {
        while !Task.isCancelled { await Task.yield() }
      }
    }
    let failure = try #require(report.failure)
    #expect(failure.schedule.overtakings.count == 1)
    #expect(failure.messages.first?.contains("10000 jobs") == true, "\(failure.messages)")
  }

  // Under Thread Sanitizer, the thread may resume the body before the scope waits.
  @Test(.withoutThreadSanitizer)
  func `a body that waits for a thread outside is not taken for stuck`() async throws {
    let runs = Log<Void>()
    let options = VirtualTimeOptions(queuesAndThreads: .real, stallLimit: .seconds(300))
    let report = try await withExploration(20, options: options) { _ in
      runs.append(())
      await Task.yield()
      guard runs.count > 5 else { return }
      await withCheckedContinuation { continuation in
        // So late that the scope waits by then, at least in one of the runs.
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { continuation.resume() }
      }
    }
    #expect(report.failure == nil, "\(String(describing: report.failure))")
    #expect(report.hasWorkOutside)
  }

  @Test func `a body that is right passes, and is the same in two runs`() async throws {
    let report = try await withExploration(300) { _ in
      let account = Account()
      await withTaskGroup { group in
        for amount in 1...3 { group.addTask { await account.set(amount) } }
      }
    }
    #expect(report.failure == nil)
    #expect(report.schedulesTried == 301)
    #expect(report.distinctTraces > 10)
    #expect(report.firstDifference == nil)
    #expect(!report.hasWorkOutside)
  }

  @Test func `a body that is not deterministic is noticed`() async throws {
    let runs = Log<Void>()
    let report = try await withExploration(1) { _ in
      runs.append(())
      await withTaskGroup { group in
        for _ in 0...runs.count { group.addTask {} }
      }
    }
    #expect(report.failure == nil)
    #expect(report.firstDifference != nil)
  }

  @Test func `random numbers are the same in each run, and real if the option says so`()
    async throws
  {
    func draw(_ options: VirtualTimeOptions) async throws -> [[UInt64]] {
      let runs = Log<[UInt64]>()
      _ = try await withExploration(3, options: options) { _ in
        var generator = SystemRandomNumberGenerator()
        runs.append([generator.next(), generator.next(), .random(in: 0 ... .max)])
      }
      return runs.entries
    }
    let runs = try await draw(VirtualTimeOptions())
    #expect(runs.count == 6)
    #expect(Set(runs).count == 1)
    #expect(Set(runs.joined()).count == 3)
    #expect(Set(try await draw(.init(repeatsRandomNumbers: false))).count == 6)
  }

  @Test func `random numbers of a plain scope are real`() async throws {
    var numbers: Set<UInt64> = []
    for _ in 0..<3 { try await numbers.insert(withVirtualTime { _ in .random(in: 0 ... .max) }) }
    #expect(numbers.count == 3)
  }

  @Test func `nothing comes between a function of the main actor and another one that it calls`()
    async throws
  {
    let report = try await withExploration(200) { _ in
      let till = Till()
      let buyers = (0..<2).map { _ in Task { await till.pay() } }
      for buyer in buyers { await buyer.value }
      #expect(await till.balance == 0)
    }
    #expect(report.failure == nil)
    #expect(report.distinctTraces > 1)
  }

  @Test func `jobs of the main actor keep their order`() async throws {
    let report = try await withExploration(200) { _ in
      let log = Log<Int>()
      await withTaskGroup { group in
        for number in 1...5 { group.addTask { @MainActor in log.append(number) } }
      }
      let entries = log.entries
      #expect(entries == [1, 2, 3, 4, 5])
    }
    #expect(report.failure == nil, "\(String(describing: report.failure))")
  }

  @Test func `equal deadlines come in every order, and the body last`() async throws {
    let orders = Log<[Int]>()
    let report = try await withExploration(200) { _ in
      let log = Log<Int>()
      for number in 1...3 {
        Task {
          try await Task.sleep(for: .seconds(1))
          log.append(number)
        }
      }
      try await Task.sleep(for: .seconds(1))
      orders.append(log.entries)
      #expect(log.count == 3)
    }
    #expect(report.failure == nil, "\(String(describing: report.failure))")
    #expect(Set(orders.entries).count == 6)
  }

  @Test func `a due sleeper may wake while other jobs are ready`() async throws {
    let report = try await withExploration(200) { _ in
      let log = Log<String>()
      let first = Task {
        try await Task.sleep(for: .seconds(1))
        await Task.yield()
        log.append("first")
      }
      let second = Task {
        try await Task.sleep(for: .seconds(1))
        log.append("second")
      }
      _ = try await (first.value, second.value)
      #expect(log.entries == ["first", "second"])
    }
    #expect(report.failure?.schedule.overtakings.count == 1)
  }

  @Test func `a search that is cancelled throws, and that is no failure`() async throws {
    let runs = Log<Void>()
    let search = Lock<Task<ExplorationReport, any Error>?>(nil)
    let (isSet, setting) = AsyncStream.makeStream(of: Never.self)
    let task = Task {
      for await _ in isSet {}
      return try await withExploration(1_000) { _ in
        runs.append(())
        if runs.count == 3 { search.withLock { $0?.cancel() } }
        try Task.checkCancellation()
      }
    }
    search.withLock { $0 = task }
    setting.finish()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(runs.count == 3)
  }

  @Test func `a smaller schedule of another failure does not take the place of the one found`()
    async throws
  {
    struct OtherError: Error {}
    let isFound = Lock(false)
    let report = try await withExploration(1_000) { _ in
      let log = Log<Int>()
      await withTaskGroup { group in
        for number in 1...4 { group.addTask { log.append(number) } }
      }
      if log.entries == [1, 2, 3, 4] { return }
      if log.entries.suffix(2) == [2, 1] {
        isFound.withLock { $0 = true }
        throw LostUpdate()
      }
      if isFound.withLock(\.self) { throw OtherError() }
    }
    #expect(report.failure?.messages == ["LostUpdate()"])
  }

  @Test func `the search goes on after a failure if it is to count them`() async throws {
    let exploration = ExplorationOptions(stopsAtFirstFailure: false)
    let report = try await withExploration(100, exploration) { _ in
      try await makeTwoDeposits()
    }
    let first = try await withExploration(100) { _ in try await makeTwoDeposits() }
    #expect(report.schedulesTried == 101)
    #expect(report.scheduleCount == 101)
    #expect((2...100).contains(report.schedulesFailed))
    #expect(report.failure?.schedule == first.failure?.schedule)
    #expect(report.failure?.number == first.schedulesTried)
    #expect(first.schedulesFailed == 1)
  }

  /// Fails if the timeout comes before a reply that takes no time.
  private func expectReplyBeforeTimeout(_ options: VirtualTimeOptions) async throws
    -> ExplorationReport
  {
    try await withExploration(200, options: options) { _ in
      let first = await withTaskGroup(of: String.self) { group in
        group.addTask {
          await Task.yield()
          return "reply"
        }
        group.addTask {
          try? await Task.sleep(for: .seconds(1))
          return "timeout"
        }
        return await group.next()
      }
      #expect(first == "reply")
    }
  }

  @Test func `a timeout overtakes a reply if a job may take so long`() async throws {
    var options = VirtualTimeOptions(leftovers: .ignore)
    #expect(try await expectReplyBeforeTimeout(options).failure == nil)
    options.longestJob = .seconds(1) - .nanoseconds(1)
    #expect(try await expectReplyBeforeTimeout(options).failure == nil)
    options.longestJob = .seconds(1)
    let report = try await expectReplyBeforeTimeout(options)
    #expect(report.failure != nil)
    #expect(report.firstDifference == nil)
  }

  @Test func `a job does not take negative time`() async throws {
    await #expect(throws: VirtualTimeError.self) {
      try await withVirtualTime(.init(longestJob: .nanoseconds(-1))) { _ in }
    }
  }

  @Test func `the parts of the seeds find what all seeds find`() async throws {
    var tried = 0
    for number in 1...3 {
      let shard = Shard(number: number, of: 3)
      let report = try await withExploration(30, .init(shard: shard)) { _ in
        await Task.yield()
      }
      tried += report.schedulesTried
    }
    #expect(tried == 30 + 3)
  }

  @Test func `a function that explores returns what its last run returns`() async throws {
    let value = try await withVirtualTime(order: .exploring(10)) { time in
      await twoTasks()
      try await Task.sleep(for: .seconds(5))
      return time.now.offset
    }
    #expect(value == .seconds(5))
  }

  @Test(.plainOrder(because: "It needs more schedules."))
  func `a function that explores throws the error of the smallest schedule`() async throws {
    let issues = await issues {
      await #expect(throws: LostUpdate.self) {
        try await withVirtualTime(order: .exploring(1_000)) { _ in try await makeTwoDeposits() }
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("The smallest has 1 overtaking") == true)
  }
}
