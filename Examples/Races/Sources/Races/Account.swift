package struct InsufficientFunds: Error { package init() {} }

/// An account, whose balance must not fall below zero.
package actor Account {
  package private(set) var balance: Int

  package init(balance: Int) { self.balance = balance }

  package func setBalance(_ balance: Int) { self.balance = balance }

  package func withdraw(_ amount: Int) throws {
    guard balance >= amount else { throw InsufficientFunds() }
    balance -= amount
  }
}

/// Reads the balance and writes it in two calls: a withdrawal in between is lost.
package func racyWithdrawal(of amount: Int, from account: Account) async throws {
  let balance = await account.balance
  guard balance >= amount else { throw InsufficientFunds() }
  await account.setBalance(balance - amount)
}

/// Lets the account do both in one call.
package func fixedWithdrawal(of amount: Int, from account: Account) async throws {
  try await account.withdraw(amount)
}
