import _EscapementCore

/// The reply to a ``StoreCommand``, and the new state of its key.
public struct StoreDecision: Hashable, Sendable {
  /// The numbers that ``SharedStore/perform(_:)`` returns.
  public let reply: [Int64]

  /// The text to store from now on; `nil` if the state stays as it is.
  public let newState: String?

  /// After which time the new state is the same as none; `nil` if it has to be kept.
  ///
  /// A store that removes it waits for longer, by the time that may pass between the reading of a
  /// state and its replacement. Else a decision about no state could replace a removed one.
  public let lifetime: Duration?
}

extension StoreCommand {
  /// Decides in this process, for a store without scripts.
  ///
  /// Such a store reads the state of ``key``, lets the command decide, and writes the new state if
  /// the old one is still there. Otherwise it begins again:
  ///
  /// ```
  /// repeat read the state and the time
  ///        decide
  /// until there is no new state, or it has replaced the one that was read
  /// ```
  ///
  /// The decisions are those of the scripts and the functions.
  ///
  /// - Parameters:
  ///   - state: The text that is stored; `nil` if there is none.
  ///   - now: The time since 1970, by the clock of the store. If the store has none, by that of
  ///     this process. Then the clocks of the processes must differ by less than the quota needs
  ///     to fill, or than the duration of the lease. Else a quota may grant without a limit, and a
  ///     lease may have two holders.
  /// - Returns: The reply and the new state, in ASCII: 5 numbers for a lease; one for a quota and 2
  ///   for each of its buckets, and for a sliding window one and 2 for each instant of a grant.
  /// - Throws: ``SharedStoreError/unexpectedState(_:)`` if the text is not a state of this command.
  /// - Complexity: O(n) in the length of the state.
  public func decision(
    for state: String?, at now: Duration
  ) throws(SharedStoreError) -> StoreDecision {
    let now = max(0, now.wholeNanoseconds / 1_000)
    let reply: [Int64]
    let newState: String?
    var lifetime: Duration?
    switch operation {
    case .quota(let quota, let permits, let span):
      var stored = try restore(state) { StoredPermits($0, of: quota, span: span) }
      reply = StoredPermits.take(permits, of: quota, span: span, from: &stored, now: now)
      newState = stored.map { Self.text($0.numbers) }
      lifetime = stored.map { .microseconds($0.settledAt - now + span) }
    case .lease(let request):
      var lease = try restore(state) { LeaseRecord($0) } ?? LeaseRecord()
      reply = lease.change(request, now: now).numbers
      newState = Self.text(lease.numbers)
    }
    guard newState != state else {
      return StoreDecision(reply: reply, newState: nil, lifetime: nil)
    }
    return StoreDecision(reply: reply, newState: newState, lifetime: lifetime)
  }

  private func restore<State>(
    _ text: String?, _ make: ([Int64]) -> State?
  ) throws(SharedStoreError) -> State? {
    guard let text else { return nil }
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int64($0) }
    guard numbers.count == parts.count, let state = make(numbers) else {
      throw .unexpectedState(text)
    }
    return state
  }

  private static func text(_ numbers: [Int64]) -> String {
    numbers.map(String.init).joined(separator: " ")
  }
}
