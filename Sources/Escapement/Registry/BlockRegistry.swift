import _EscapementCore

/// The blocks of a program by their names, with numbers from a configuration that may change while
/// the program runs.
///
/// ```swift
/// let blocks = BlockRegistry(config)     // a ConfigReader, with the package trait Configuration
/// let breaker = try blocks.circuitBreaker("prices", .failureRate(percent: 50, over: .seconds(10)))
/// let limiter = try blocks.concurrencyLimiter("warehouse", .fixed(8))
/// ```
///
/// The code says what a block does, and the configuration may say other numbers for it. Each number
/// has the name of the block and that of the argument, such as `prices.percent`; durations are in
/// seconds. In ``Quota/all(_:_:)`` and among faults, an index comes before it: `api.1.capacity`,
/// `experiment.1.share`. An adaptive limit has `minimum` and `maximum`.
///
/// - A block is made when it is first asked for. Further calls with its name return the same block,
///   whatever their other arguments.
/// - ``reload()`` brings the numbers of the configuration into the blocks that exist.
/// - ``states`` shows the blocks, for an endpoint.
public final class BlockRegistry<C: Clock<Duration>>: Sendable {
  private struct Entry: Sendable {
    let block: any AnyObject & Sendable
    let state: @Sendable () -> BlockState
    /// Brings the numbers of the configuration into the block, if they have changed.
    let reload: @Sendable () throws(InvalidArgumentError) -> Void
  }

  private let value: @Sendable (_ key: String) throws(InvalidArgumentError) -> Double?
  private let clock: C
  private let onEvent: (@Sendable (_ block: String, BlockEvent) -> Void)?
  private let entries = Lock<[String: Entry]>([:])

  /// Creates a registry without blocks.
  ///
  /// - Parameters:
  ///   - clock: The clock of the blocks.
  ///   - onEvent: Called for each event of a block, with its name.
  ///   - value: Returns the number that the configuration has for a key, or `nil`. An error means
  ///     that it has something else there.
  public init(
    clock: C = ContinuousClock(),
    onEvent: (@Sendable (_ block: String, BlockEvent) -> Void)? = nil,
    value: @escaping @Sendable (_ key: String) throws(InvalidArgumentError) -> Double?
  ) {
    self.value = value
    self.clock = clock
    self.onEvent = onEvent
  }

  /// The present states of the blocks, by their names.
  ///
  /// - Complexity: O(n) in the number of blocks. Each is asked for itself, not all at one instant.
  public var states: [String: BlockState] {
    entries.withLock { $0 }.mapValues { $0.state() }
  }

  /// Brings the numbers of the configuration into all blocks.
  ///
  /// A block whose numbers are not valid keeps those that it has. The others have the new ones.
  /// Blocks whose numbers have not changed in the configuration are left alone. If another call is
  /// bringing numbers into a block, this one leaves it to that one, which then reads them again.
  ///
  /// - Throws: `InvalidArgumentError`, for the first block by name whose numbers are not valid.
  public func reload() throws(InvalidArgumentError) {
    var failure: InvalidArgumentError?
    for (_, entry) in entries.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      do throws(InvalidArgumentError) { try entry.reload() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}

// MARK: - Blocks

extension BlockRegistry {
  /// A breaker, of which the configuration may set all numbers.
  ///
  /// - Parameters:
  ///   - name: The name of the block.
  ///   - policy: The policy, as far as the configuration has no numbers.
  ///   - isFailure: Whether an error counts as a failure of the service.
  /// - Throws: `InvalidArgumentError` if a number is not valid, or the name is that of a block of
  ///   another kind.
  public func circuitBreaker(
    _ name: String, _ policy: CircuitBreakerPolicy,
    countingAsFailure isFailure: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) throws(InvalidArgumentError) -> CircuitBreaker<C> {
    try block(name, policy.with) { policy, onEvent throws(InvalidArgumentError) in
      try CircuitBreaker(
        policy, clock: clock, countingAsFailure: isFailure, onEvent: onEvent)
    } state: {
      .circuitBreaker(state: $0.state)
    } replace: { breaker, policy throws(InvalidArgumentError) in
      try breaker.replacePolicy(with: policy)
    }
  }

  /// A concurrency limiter, of which the configuration may set the limit, `maximumWaiting` and
  /// `maximumDelay`.
  ///
  /// A limiter that was made with a `maximumDelay` keeps one, and one that was made without it never
  /// gets one: there, a number that comes later has no effect.
  ///
  /// - Parameters:
  ///   - name: The name of the block.
  ///   - limit: The limit, as far as the configuration has no numbers.
  ///   - maximumWaiting: How many tasks may wait.
  ///   - maximumDelay: How long a task may wait; positive, or `nil` for any time.
  /// - Throws: `InvalidArgumentError` if a number is not valid, or the name is that of a block of
  ///   another kind.
  public func concurrencyLimiter(
    _ name: String, _ limit: ConcurrencyLimit, maximumWaiting: Int = .max,
    maximumDelay: Duration? = nil
  ) throws(InvalidArgumentError) -> ConcurrencyLimiter<C> {
    try block(name) { numbers throws(InvalidArgumentError) in
      LimiterSettings(
        limit: try limit.with(numbers),
        maximumWaiting: try numbers.int("maximumWaiting", maximumWaiting),
        maximumDelay: try numbers.seconds("maximumDelay", maximumDelay))
    } make: { settings, onEvent throws(InvalidArgumentError) in
      try ConcurrencyLimiter(
        settings.limit, maximumWaiting: settings.maximumWaiting,
        maximumDelay: settings.maximumDelay, clock: clock, onEvent: onEvent)
    } state: {
      .concurrencyLimiter(limit: $0.limit, running: $0.running, waiting: $0.waiting)
    } replace: { limiter, settings throws(InvalidArgumentError) in
      try limiter.replaceLimit(
        with: settings.limit, maximumWaiting: settings.maximumWaiting,
        maximumDelay: limiter.hasMaximumDelay ? settings.maximumDelay : nil)
    }
  }

  /// A throttle, of which the configuration may set the `multiplier` and the `window`.
  ///
  /// - Parameters:
  ///   - name: The name of the block.
  ///   - multiplier: How many calls are let through for each one that was accepted.
  ///   - window: For how long calls count.
  ///   - isRejection: Whether an error means that the service has too much to do.
  /// - Throws: `InvalidArgumentError` if a number is not valid, or the name is that of a block of
  ///   another kind.
  public func adaptiveThrottle(
    _ name: String, multiplier: Double = 2, over window: Duration = .seconds(30),
    countingAsRejection isRejection: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) throws(InvalidArgumentError) -> AdaptiveThrottle<C> {
    try block(name) { numbers throws(InvalidArgumentError) in
      ThrottleSettings(
        multiplier: try numbers.double("multiplier", multiplier),
        window: try numbers.seconds("window", window))
    } make: { settings, onEvent throws(InvalidArgumentError) in
      try AdaptiveThrottle(
        multiplier: settings.multiplier, over: settings.window, clock: clock,
        countingAsRejection: isRejection, onEvent: onEvent)
    } state: {
      .adaptiveThrottle(refusalProbability: $0.refusalProbability)
    } replace: { throttle, settings throws(InvalidArgumentError) in
      try throttle.replace(multiplier: settings.multiplier, over: settings.window)
    }
  }

  /// A quota, of which the configuration may set all numbers.
  ///
  /// - Parameters:
  ///   - name: The name of the block.
  ///   - quota: The quota, as far as the configuration has no numbers.
  /// - Throws: `InvalidArgumentError` if a number is not valid, or the name is that of a block of
  ///   another kind.
  public func quotaLimiter(
    _ name: String, _ quota: Quota
  ) throws(InvalidArgumentError) -> QuotaLimiter<C> {
    try block(name, quota.with) { quota, onEvent throws(InvalidArgumentError) in
      try QuotaLimiter(quota, clock: clock, onEvent: onEvent)
    } state: {
      .quotaLimiter(remaining: $0.remaining)
    } replace: { limiter, quota throws(InvalidArgumentError) in
      try limiter.replaceQuota(with: quota)
    }
  }

  /// A quota for each key, of which the configuration may set all numbers.
  ///
  /// - Parameters:
  ///   - name: The name of the block.
  ///   - quota: The quota of each key, as far as the configuration has no numbers.
  ///   - key: The type of the keys.
  /// - Throws: `InvalidArgumentError` if a number is not valid, or the name is that of a block of
  ///   another kind.
  public func keyedQuotaLimiter<Key: Hashable & Sendable>(
    _ name: String, _ quota: Quota, of key: Key.Type = String.self
  ) throws(InvalidArgumentError) -> KeyedQuotaLimiter<Key, C> {
    try block(name, quota.with) { quota, onEvent throws(InvalidArgumentError) in
      try KeyedQuotaLimiter(
        quota, clock: clock, onEvent: onEvent.map { onEvent in { _, event in onEvent(event) } })
    } state: {
      .keyedQuotaLimiter(keys: $0.count)
    } replace: { limiter, quota throws(InvalidArgumentError) in
      try limiter.replaceQuota(with: quota)
    }
  }

  /// An injector of faults, of which the configuration may set the shares.
  ///
  /// - Parameters:
  ///   - name: The name of the block.
  ///   - faults: The faults, with the shares as far as the configuration has none; usually 0.
  /// - Throws: `InvalidArgumentError` if a share is not valid, or the name is that of a block of
  ///   another kind.
  public func faultInjector(
    _ name: String, _ faults: [InjectedFault]
  ) throws(InvalidArgumentError) -> FaultInjector<C> {
    @Sendable func with(_ shares: [Double]) throws(InvalidArgumentError) -> [InjectedFault] {
      var changed: [InjectedFault] = []
      for (index, (fault, share)) in zip(faults, shares).enumerated() {
        let other = try naming("\(name).\(index + 1)") { () throws(InvalidArgumentError) in
          try fault.with(share: share)
        }
        changed.append(other)
      }
      return changed
    }
    return try block(name) { numbers throws(InvalidArgumentError) in
      var shares: [Double] = []
      for (index, fault) in faults.enumerated() {
        shares.append(try numbers.double("\(index + 1).share", fault.share))
      }
      return shares
    } make: { shares, onEvent throws(InvalidArgumentError) in
      FaultInjector(try with(shares), clock: clock, onEvent: onEvent)
    } state: {
      .faultInjector(faults: $0.faults.filter { $0.share > 0 }.map(\.description))
    } replace: { injector, shares throws(InvalidArgumentError) in
      injector.faults = try with(shares)
    }
  }
}

extension BlockRegistry {
  /// Returns the block of a name, or makes it.
  ///
  /// Nothing is called inside of the lock. Of two blocks that are made at once, one is kept.
  ///
  /// - Parameters:
  ///   - name: The name of the block.
  ///   - settings: Reads what the configuration says of the block.
  ///   - make: Makes the block with its settings.
  ///   - state: Returns the state of the block.
  ///   - replace: Brings other settings into the block.
  private func block<Block: AnyObject & Sendable, Settings: Equatable & Sendable>(
    _ name: String,
    _ settings: @escaping @Sendable (BlockNumbers) throws(InvalidArgumentError) -> Settings,
    make: (Settings, (@Sendable (BlockEvent) -> Void)?) throws(InvalidArgumentError) -> Block,
    state: @escaping @Sendable (Block) -> BlockState,
    replace: @escaping @Sendable (Block, Settings) throws(InvalidArgumentError) -> Void
  ) throws(InvalidArgumentError) -> Block {
    if let known = entries.withLock({ $0[name] }) { return try cast(known, name) }
    let read: @Sendable () throws(InvalidArgumentError) -> Settings = {
      [value] () throws(InvalidArgumentError) in
      try settings(BlockNumbers(block: name, value: value))
    }
    let new = try naming(name) { () throws(InvalidArgumentError) in
      let settings = try read()
      let block = try make(settings, EventObserver(of: name, onEvent).onEvent)
      let reload = BlockReload(settings)
      return Entry(block: block, state: { state(block) }) { () throws(InvalidArgumentError) in
        try naming(name) { () throws(InvalidArgumentError) in
          try reload.run(read) { new throws(InvalidArgumentError) in try replace(block, new) }
        }
      }
    }
    let kept = entries.withLock { entries in
      defer { entries[name] = entries[name] ?? new }
      return entries[name] ?? new
    }
    // The configuration may have changed before a reload could see the block.
    try kept.reload()
    return try cast(kept, name)
  }

  private func cast<Block>(
    _ entry: Entry, _ name: String
  ) throws(InvalidArgumentError) -> Block {
    guard let block = entry.block as? Block else {
      throw InvalidArgumentError(
        "name", name, mustBe: "that of one block (\(type(of: entry.block)) has it already)")
    }
    return block
  }
}

/// Performs `body`, and puts the name of a block before that of an argument that is not valid.
func naming<Value>(
  _ block: String, _ body: () throws(InvalidArgumentError) -> Value
) throws(InvalidArgumentError) -> Value {
  do throws(InvalidArgumentError) {
    return try body()
  } catch {
    let isNamed = error.argument.hasPrefix("\(block).")
    throw InvalidArgumentError(
      isNamed ? error.argument : "\(block).\(error.argument)", error.value,
      mustBe: error.requirement)
  }
}
