import _EscapementCore

/// A limit on further attempts that many callers of `retry` share.
///
/// When a service fails, each client that tries again adds to its load. With a budget, further
/// attempts are at most a part of all calls, however many calls fail.
///
/// ```swift
/// let budget = try RetryBudget(percent: 10, reserve: 20)
/// let forecast = try await retry(budget: budget) { try await client.forecast() }
/// ```
///
/// Each call of `retry` puts a part of an attempt into the budget, and each further attempt takes a
/// whole one. An attempt that is cancelled during the delay before it is given back. It is the
/// retry budget of Twitter's Finagle, without its expiry. All arithmetic is on integers. The budget
/// does not depend on the time.
public final class RetryBudget: Sendable {
  private struct Balance {
    /// In hundredths of an attempt.
    var amount: Int
    let limit: Int
  }

  private let percent: Int
  private let balance: Lock<Balance>

  /// Creates a budget that has its reserve.
  ///
  /// - Parameters:
  ///   - percent: How many further attempts there may be for 100 calls; 0...1000.
  ///   - reserve: How many further attempts the budget holds in the beginning, and at most; from 1
  ///     to 1,000,000,000.
  /// - Throws: `InvalidArgumentError`, which names the argument that is not valid.
  public init(percent: Int = 10, reserve: Int = 100) throws(InvalidArgumentError) {
    guard 0...1_000 ~= percent else {
      throw InvalidArgumentError("percent", percent, mustBe: "between 0 and 1000")
    }
    guard 1...1_000_000_000 ~= reserve else {
      throw InvalidArgumentError("reserve", reserve, mustBe: "between 1 and 10^9")
    }
    self.percent = percent
    balance = Lock(Balance(amount: reserve * 100, limit: reserve * 100))
  }

  /// How many further attempts the callers may make at present.
  public var remaining: Int { balance.withLock { $0.amount / 100 } }

  /// A call begins.
  package func deposit() { add(percent) }

  /// A further attempt that was taken does not begin.
  func giveBack() { add(100) }

  private func add(_ amount: Int) {
    balance.withLock { $0.amount = min($0.amount + amount, $0.limit) }
  }

  /// Takes a further attempt, or returns `false` if there is none.
  package func withdraw() -> Bool {
    balance.withLock { balance in
      guard balance.amount >= 100 else { return false }
      balance.amount -= 100
      return true
    }
  }
}
