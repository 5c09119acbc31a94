import EscapementTesting
import TestSupport
import Testing

/// An account whose balance is read and written in two calls.
private actor Account {
  private(set) var balance = 0
  func set(_ balance: Int) { self.balance = balance }
}

private func deposit(_ amount: Int, to account: Account) async {
  let balance = await account.balance
  await account.set(balance + amount)
}

@Suite struct WithExplorationTests {
  @Test func `a lost update on an actor is found and made small`() async throws {
    let report = try await withExploration(1_000) { _ in
      let account = Account()
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { await deposit(1, to: account) } }
      }
      let balance = await account.balance
      #expect(balance == 2)
    }
    let failure = try #require(report.failure)
    print(report.schedulesTried, report.decisionPoints, failure)
    #expect(failure.schedule.overtakings.count == 1)
    #expect(failure.messages.count == 1)
  }

  @Test func `a body that is right passes`() async throws {
    let report = try await withExploration(300) { _ in
      let account = Account()
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { await account.set(1) } }
      }
      let balance = await account.balance
      #expect(balance == 1)
    }
    #expect(report.failure == nil)
    #expect(report.schedulesTried == 301)
    #expect(report.distinctTraces > 1)
    #expect(report.firstDifference == nil)
    print(report.distinctTraces, report.decisionPoints)
  }
}
