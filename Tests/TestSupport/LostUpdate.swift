/// An account whose balance is read and written in two calls.
package actor Account {
  package private(set) var balance = 0

  package init() {}

  package func set(_ balance: Int) { self.balance = balance }
}

/// Makes two deposits side by side, and returns the balance, which is 2 unless one of them is lost.
package func balanceOfTwoDeposits() async -> Int {
  let account = Account()
  await withTaskGroup { group in
    for _ in 0..<2 { group.addTask { await account.set(account.balance + 1) } }
  }
  return await account.balance
}

/// Runs two tasks of which either may go first.
package func twoTasks() async {
  await withTaskGroup { group in
    for _ in 0..<2 { group.addTask {} }
  }
}
