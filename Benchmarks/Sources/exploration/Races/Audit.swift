/// Three transfers move money from account to account, and an audit counts it at each place.
///
/// Source: the problem of Chandy, Lamport: *Distributed Snapshots* (ACM Transactions on Computer
/// Systems 3, 1985).
@concurrent func audit() async throws {
  let accounts = (0..<4).map { _ in Variable(10) }
  try await withThrowingTaskGroup { group in
    for number in 0..<3 {
      group.addTask {
        await accounts[number].add(-1)
        await accounts[number + 1].add(1)
      }
    }
    group.addTask {
      var total = 0
      for account in accounts { total += await account.load() }
      // Each transfer is counted twice.
      try check(total < 43)
    }
    try await group.waitForAll()
  }
}
