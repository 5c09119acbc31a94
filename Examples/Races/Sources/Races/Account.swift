public struct InsufficientFunds: Error { public init() {} }

/// An account, whose balance must not fall below zero.
public actor Account {
  public private(set) var balance: Int

  public init(balance: Int) { self.balance = balance }

  public func setBalance(_ balance: Int) { self.balance = balance }

  public func withdraw(_ amount: Int) throws {
    guard balance >= amount else { throw InsufficientFunds() }
    balance -= amount
  }
}

/// Reads the balance and writes it in two calls: a withdrawal in between is lost.
public func racyWithdrawal(of amount: Int, from account: Account) async throws {
  let balance = await account.balance
  guard balance >= amount else { throw InsufficientFunds() }
  await account.setBalance(balance - amount)
}

/// Lets the account do both in one call.
public func fixedWithdrawal(of amount: Int, from account: Account) async throws {
  try await account.withdraw(amount)
}
