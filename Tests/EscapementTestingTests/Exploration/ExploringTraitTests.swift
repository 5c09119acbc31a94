import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

/// An account that reads its balance, suspends, and writes it.
private actor Account {
  private(set) var balance = 0

  func deposit(_ amount: Int) async {
    let balance = balance
    await Auditor().note()
    self.balance = balance + amount
  }
}

private actor Auditor { func note() {} }

/// Makes two deposits side by side, and returns the balance.
private func balanceOfTwoDeposits() async -> Int {
  let account = Account()
  async let first: Void = account.deposit(1)
  async let second: Void = account.deposit(1)
  _ = await (first, second)
  return await account.balance
}

private struct Failure: Error {}

@Suite(.virtualStandardClocks) struct ExploringTraitTests {
  @Test(.plainOrder, .virtualTime) func `a plain run does not find the lost update`() async {
    #expect(await balanceOfTwoDeposits() == 2)
  }

  @Test(
    .plainOrder(because: "It needs more schedules."),
    .expecting("replay: .virtualTime(order: .schedule(\"3\"))", line: #line + 2),
    .virtualTime(order: .exploring(1_000)))
  func `a failed expectation is reported once, at its line, with the smallest schedule`() async {
    let balance = await balanceOfTwoDeposits()
    #expect(balance == 2)
  }

  @Test(
    .plainOrder(because: "Its subject is the number of schedules."),
    .expecting("of 51 schedules fail.\nThe smallest has 1 overtaking (seed 0, "),
    .virtualTime(order: .exploring(50, .init(stopsAtFirstFailure: false))))
  func `the report says how many schedules fail if all are tried`() async {
    let balance = await balanceOfTwoDeposits()
    #expect(balance == 2)
  }

  @Test(
    .plainOrder(because: "Its subject is the number of schedules."),
    .expecting("Schedule 2 of 1,001 fails."), .virtualTime(order: .exploring(1_000)))
  func `the report says which schedule fails if the search ends with it`() async {
    let balance = await balanceOfTwoDeposits()
    #expect(balance == 2)
  }

  @Test(
    .withoutOptimisation, .plainOrder(because: "It needs more schedules."),
    .expecting(
      "overtakes task 2 (Account.deposit(_:) ExploringTraitTests.swift:12 <- closure in "
        + "balanceOfTwoDeposits() ExploringTraitTests.swift:22)"),
    .virtualTime(order: .exploring(1_000)))
  func `the report names the place at which the order turns`() async {
    let balance = await balanceOfTwoDeposits()
    #expect(balance == 2)
  }

  @Test(.expecting("task 1 overtakes task 2"), .virtualTime(order: .exploring(100)))
  func `the report names a task that has yielded`() async {
    let log = Log<Void>()
    let task = Task { log.append(()) }
    await Task.yield()
    #expect(log.count == 1)
    await task.value
  }

  @Test(
    .plainOrder(because: "It needs more schedules."),
    .expecting("There was work outside of the scope, such as a hold."),
    .virtualTime(order: .exploring(100)))
  func `the report says that there was work outside`() async {
    await VirtualTime.current?.hold {}
    let balance = await balanceOfTwoDeposits()
    #expect(balance == 2)
  }

  @Test(
    .plainOrder(because: "Its subject is the number of warnings."),
    .expecting("This test passes, but is not deterministic"), .virtualTime(order: .exploring(5)))
  func `a test that passes and is not deterministic is warned of once`() async {
    Self.runs.append(())
    await withTaskGroup { group in
      for _ in 0...Self.runs.count { group.addTask {} }
    }
  }

  private static let runs = Log<Void>()

  @Test(
    .plainOrder(because: "It needs more schedules."),
    .expecting("nothing to explore: all 6 schedules led to the same order"),
    .virtualTime(order: .exploring(5)))
  func `a test whose schedules are all the same is warned of`() async throws {
    async let sum = 1 + 2
    #expect(await sum == 3)
  }

  @Test(
    .plainOrder(because: "It needs more schedules."),
    .expecting("replay: .virtualTime(order: .schedule(\"3\"))"),
    .virtualTime(order: .exploring(1_000)))
  func `an error is reported once`() async throws {
    if await balanceOfTwoDeposits() != 2 { throw Failure() }
  }

  @Test(
    .plainOrder(because: "It needs more schedules."),
    .expecting("is stuck at +0.0 seconds", line: #line - 3), .virtualTime(order: .exploring(1_000)))
  func `a stuck test is reported once, at the line of the test`() async {
    guard await balanceOfTwoDeposits() != 2 else { return }
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  @Test(.expecting("Expectation failed"), .virtualTime(order: .schedule("2")))
  func `a schedule is replayed`() async {
    let balance = await balanceOfTwoDeposits()
    if balance != 2 { Issue.record("Expectation failed") }
  }

  @Test(.expecting("Expectation failed"), .virtualTime(order: .seed(0)))
  func `the schedule of a seed is replayed`() async {
    let balance = await balanceOfTwoDeposits()
    if balance != 2 { Issue.record("Expectation failed") }
  }

  @Test(
    .expecting("\"7x\" is not a schedule: at character 3"), .virtualTime(order: .schedule("7x")))
  func `a malformed schedule fails the test`() { Issue.record("the test has run") }

  @Test(.expecting("exploring: -1; use 0 or more seeds"), .virtualTime(order: .exploring(-1)))
  func `a negative number of seeds fails the test`() { Issue.record("the test has run") }

  @Test(.expecting("of a double"), .doubles, .virtualTime(order: .exploring(5)))
  func `a failure of a double belongs to the run, whose doubles are its own`() async {
    let double = DoubleOwner.current
    let location = _EscapementCore.SourceLocation(
      fileID: #fileID, filePath: #filePath, line: #line, column: #column)
    await Task.detached { double.report("of a double", at: location) }.value
  }

  @Test(.virtualTime(order: .exploring(100)), arguments: 1...3)
  func `cases of a parameterised test that pass report nothing`(number: Int) async throws {
    async let first: Void = Task.sleep(for: .seconds(number))
    async let second: Void = Task.sleep(for: .seconds(number))
    _ = try await (first, second)
    #expect(VirtualTime.current?.now.offset == .seconds(number))
  }
}

@Suite(.serialized) struct ExploringTraitInstanceTests {
  private static let instances = Lock(0)
  private static let runs = Lock(0)
  private let number = Self.instances.withLock {
    $0 += 1
    return $0
  }

  @Test(.virtualTime(order: .exploring(20))) func `a test is explored`() async {
    Self.runs.withLock { $0 += 1 }
    await twoTasks()
  }

  @Test(.plainOrder(because: "Its subject is the number of schedules."))
  func `each run had an instance of its own`() {
    let runs = Self.runs.withLock(\.self)
    // The plain order, the first seed twice to compare, and 20 seeds.
    #expect(runs == 1 + 2 + 20)
    // This test is one more.
    #expect(number == runs + 1)
  }
}
