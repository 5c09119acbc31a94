import EscapementTesting
import TestSupport
import Testing

private actor Account {
  private(set) var balance = 0
  func set(_ balance: Int) { self.balance = balance }

  func deposit(_ amount: Int) async {
    let balance = balance
    await audit()
    self.balance = balance + amount
  }

  private func audit() async { await Auditor().note() }
}
private actor Auditor { func note() {} }

@Suite struct ExploringTraitTests {
  @Test(.virtualTime(exploring: 1_000))
  func `a reentrant actor loses an update`() async {
    let account = Account()
    async let first: Void = account.deposit(1)
    async let second: Void = account.deposit(1)
    _ = await (first, second)
    let balance = await account.balance
    #expect(balance == 2)
  }
  @Test(.virtualTime)
  func `a reentrant actor loses an update, plain`() async {
    let account = Account()
    async let first: Void = account.deposit(1)
    async let second: Void = account.deposit(1)
    _ = await (first, second)
    let balance = await account.balance
    #expect(balance == 2)
  }
  @Test(.virtualTime(exploring: 1_000))
  func `stuck`() async {
    let account = Account()
    async let first: Void = account.deposit(1)
    async let second: Void = account.deposit(1)
    _ = await (first, second)
    if await account.balance == 1 { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
  }
  @Test(.virtualTime(exploring: 1_000))
  func `throws`() async throws {
    let account = Account()
    async let first: Void = account.deposit(1)
    async let second: Void = account.deposit(1)
    _ = await (first, second)
    if await account.balance == 1 { throw CancellationError() }
  }
  @Test(.virtualTime(exploring: 1_000))
  func `traps`() async throws {
    let account = Account()
    async let first: Void = account.deposit(1)
    async let second: Void = account.deposit(1)
    _ = await (first, second)
    let b = await account.balance
    precondition(b == 2)
  }
}
