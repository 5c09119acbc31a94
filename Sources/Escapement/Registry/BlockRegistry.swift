import _EscapementCore

/// The blocks of a program by their names, with numbers from a configuration that may change while
/// the program runs.
///
/// ```swift
/// let blocks = BlockRegistry(config)     // a ConfigReader, with the package trait Configuration
/// let breaker = try blocks.circuitBreaker("shop", .failureRate(percent: 50, over: .seconds(10)))
/// let limiter = try blocks.concurrencyLimiter("warehouse", .fixed(8))
/// ```
///
/// The code says what a block does, and the configuration may say other numbers for it. Each number
/// has the name of the block and that of the argument, such as `shop.percent`; durations are in
/// seconds. In ``Quota/all(_:_:)`` and among faults, an index comes before it: `api.1.capacity`,
/// `shop.1.share`. An adaptive limit has `minimum` and `maximum`.
///
/// - A block is made when it is first asked for. Further calls with its name return the same block,
///   whatever their other arguments.
/// - ``reload()`` brings the numbers of the configuration into the blocks that exist.
/// - ``states`` shows the blocks, for an endpoint.
public final class BlockRegistry<C: Clock<Duration>>: Sendable {
  private struct Entry: Sendable {
    let block: any AnyObject & Sendable
    let state: @Sendable () -> BlockState
    let reload: @Sendable (BlockNumbers) throws(InvalidArgumentError) -> Void
  }

  private let value: @Sendable (_ key: String) -> Double?
  private let clock: C
  private let onEvent: (@Sendable (_ block: String, BlockEvent) -> Void)?
  private let entries = Lock<[String: Entry]>([:])

  /// Creates a registry without blocks.
  ///
  /// - Parameters:
  ///   - clock: The clock of the blocks.
  ///   - onEvent: Called for each event of a block, with its name.
  ///   - value: Returns the number that the configuration has for a key, or `nil`.
  public init(
    clock: C = ContinuousClock(),
    onEvent: (@Sendable (_ block: String, BlockEvent) -> Void)? = nil,
    value: @escaping @Sendable (_ key: String) -> Double?
  ) {
    self.value = value
    self.clock = clock
    self.onEvent = onEvent
  }

  /// What the blocks are like at present, by their names.
  ///
  /// - Complexity: O(n) in the number of blocks. Each is asked for itself, not all at one instant.
  public var states: [String: BlockState] {
    entries.withLock { $0 }.mapValues { $0.state() }
  }

  /// Brings the numbers of the configuration into all blocks.
  ///
  /// A block whose numbers are not valid keeps those that it has. The others have the new ones.
  /// Blocks whose numbers have not changed are left alone.
  ///
  /// - Throws: `InvalidArgumentError`, for the first block by name whose numbers are not valid.
  public func reload() throws(InvalidArgumentError) {
    var failure: InvalidArgumentError?
    for (name, entry) in entries.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      do throws(InvalidArgumentError) {
        try entry.reload(numbers(of: name))
      } catch {
        failure = failure ?? error
      }
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
    try block(name) { numbers, onEvent throws(InvalidArgumentError) in
      try CircuitBreaker(
        try policy.with(numbers), clock: clock, countingAsFailure: isFailure, onEvent: onEvent)
    } state: {
      .circuitBreaker(state: $0.state)
    } reload: { breaker, numbers throws(InvalidArgumentError) in
      let policy = try policy.with(numbers)
      if policy != breaker.policy { try breaker.replacePolicy(with: policy) }
    }
  }

  /// A concurrency limiter, of which the configuration may set the limit.
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
    try block(name) { numbers, onEvent throws(InvalidArgumentError) in
      try ConcurrencyLimiter(
        try limit.with(numbers), maximumWaiting: maximumWaiting, maximumDelay: maximumDelay,
        clock: clock, onEvent: onEvent)
    } state: {
      .concurrencyLimiter(limit: $0.limit, running: $0.running, waiting: $0.waiting)
    } reload: { limiter, numbers throws(InvalidArgumentError) in
      try limiter.replaceLimit(with: try limit.with(numbers))
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
    try block(name) { numbers, onEvent throws(InvalidArgumentError) in
      try QuotaLimiter(try quota.with(numbers), clock: clock, onEvent: onEvent)
    } state: {
      .quotaLimiter(remaining: $0.remaining)
    } reload: { limiter, numbers throws(InvalidArgumentError) in
      let quota = try quota.with(numbers)
      if quota != limiter.quota { try limiter.replaceQuota(with: quota) }
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
    try block(name) { numbers, onEvent throws(InvalidArgumentError) in
      try KeyedQuotaLimiter(
        try quota.with(numbers), clock: clock,
        onEvent: onEvent.map { onEvent in { _, event in onEvent(event) } })
    } state: {
      .keyedQuotaLimiter(keys: $0.count)
    } reload: { limiter, numbers throws(InvalidArgumentError) in
      let quota = try quota.with(numbers)
      if quota != limiter.quota { try limiter.replaceQuota(with: quota) }
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
    @Sendable func current(_ numbers: BlockNumbers) throws(InvalidArgumentError) -> [InjectedFault]
    {
      var current: [InjectedFault] = []
      for (index, fault) in faults.enumerated() {
        current.append(try fault.with(numbers, index: index + 1))
      }
      return current
    }
    return try block(name) { numbers, _ throws(InvalidArgumentError) in
      FaultInjector(try current(numbers), clock: clock)
    } state: {
      .faultInjector(faults: $0.faults.filter { $0.share > 0 }.map(\.description))
    } reload: { injector, numbers throws(InvalidArgumentError) in
      injector.faults = try current(numbers)
    }
  }
}

extension BlockRegistry {
  private func numbers(of name: String) -> BlockNumbers { BlockNumbers(block: name, value: value) }

  /// Returns the block of a name, or makes it.
  ///
  /// The configuration is read outside of the lock. Of two blocks that are made at once, one is
  /// kept.
  private func block<Block: AnyObject & Sendable>(
    _ name: String,
    make: (BlockNumbers, (@Sendable (BlockEvent) -> Void)?) throws(InvalidArgumentError) -> Block,
    state: @escaping @Sendable (Block) -> BlockState,
    reload: @escaping @Sendable (Block, BlockNumbers) throws(InvalidArgumentError) -> Void
  ) throws(InvalidArgumentError) -> Block {
    var entry = entries.withLock { $0[name] }
    if entry == nil {
      let new = try make(numbers(of: name), EventObserver(of: name, onEvent).onEvent)
      entry = entries.withLock { entries in
        if let known = entries[name] { return known }
        let entry = Entry(
          block: new, state: { state(new) },
          reload: { numbers throws(InvalidArgumentError) in try reload(new, numbers) })
        entries[name] = entry
        return entry
      }
    }
    guard let block = entry!.block as? Block else {
      throw InvalidArgumentError(
        "name", name, mustBe: "that of one block (there is a \(type(of: entry!.block)) already)")
    }
    return block
  }
}
