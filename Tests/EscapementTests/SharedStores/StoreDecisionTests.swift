import EscapementClocks
import TestSupport
import Testing

@testable import Escapement

@Suite struct StoreDecisionTests {
  /// A store that keeps texts, removes them when they are of no use any more, and computes nothing.
  private struct Texts {
    var state: String?
    var end: Duration?

    mutating func perform(_ command: StoreCommand, at now: Duration) throws -> [Int64] {
      if let end, end <= now { (state, self.end) = (nil, nil) }
      let decision = try command.decision(for: state, at: now)
      if let newState = decision.newState {
        (state, end) = (newState, decision.lifetime.map { now + $0 })
      }
      return decision.reply
    }
  }

  private static func command(_ permits: Int, of quota: Quota) throws -> StoreCommand {
    StoreCommand(permits, of: try SharedQuota(quota), key: "")
  }

  private static let bucket = Quota.tokenBucket(capacity: 4, refill: 3, every: .microseconds(8))
  private static let quotas: [Quota] = [
    bucket,
    .tokenBucket(capacity: 5, refill: 2, every: .microseconds(7), style: .interval),
    .slidingWindow(limit: 3, per: .microseconds(12)),
    .all(bucket, .slidingWindow(limit: 6, per: .microseconds(30)), .all(bucket)),
  ]

  /// Moves as clocks do, also when another server with another clock takes over.
  private static func move(_ now: inout Int64, using generator: inout some RandomNumberGenerator) {
    switch Int.random(in: 0..<40, using: &generator) {
    case 0: now -= .random(in: 0...30, using: &generator)
    case 1: now -= .random(in: 0...3_600_000_000, using: &generator)
    case 2: now += .random(in: 0...3_600_000_000, using: &generator)
    default: now += .random(in: 0...6, using: &generator)
    }
  }

  @Test func `decisions on texts are those of the store in memory, also when the clock jumps`() {
    let clock = SettableClock()
    forAllSeeds { generator in
      clock.set(.zero)
      let (memory, quota) = (
        InMemoryStore(clock: clock), Self.quotas.randomElement(using: &generator)!
      )
      var (texts, now) = (Texts(), Int64(1_800_000_000_000_000))
      for _ in 0..<60 {
        Self.move(&now, using: &generator)
        clock.set(.microseconds(now))
        let command = try Self.command(
          .random(in: 1...quota.capacity, using: &generator), of: quota)
        let reply = try texts.perform(command, at: .microseconds(now))
        let expected = memory.decide(command)
        try require(reply == expected, "\(quota) at \(now): \(reply), not \(expected)")
      }
    }
  }

  @Test func `leases on texts are those of the store in memory, also when the clock jumps`() {
    let clock = SettableClock()
    forAllSeeds { generator in
      clock.set(.zero)
      let memory = InMemoryStore(clock: clock)
      var (texts, now) = (Texts(), Int64(1_800_000_000_000_000))
      for turn in 0..<60 {
        Self.move(&now, using: &generator)
        clock.set(.microseconds(now))
        let request = LeaseRequest(
          action: .init(rawValue: .random(in: 0...3, using: &generator))!,
          owner: .random(in: 1...3, using: &generator),
          duration: .random(in: 1...20, using: &generator),
          run: .random(in: 0...Int64(turn / 10 + 1), using: &generator))
        let command = StoreCommand(request, key: "")
        let reply = try texts.perform(command, at: .microseconds(now))
        let expected = memory.decide(command)
        try require(reply == expected, "\(request) at \(now): \(reply), not \(expected)")
      }
    }
  }

  @Test func `a denial writes nothing`() throws {
    for quota in Self.quotas {
      let now = Duration.seconds(1_000)
      let all = try Self.command(quota.capacity, of: quota).decision(for: nil, at: now)
      #expect(all.reply == [1, 0])
      let denial = try Self.command(1, of: quota).decision(for: all.newState, at: now)
      #expect(denial.reply.first == 0)
      #expect(denial.newState == nil && denial.lifetime == nil)
    }
  }

  @Test func `the state of a window has the grants that are in it, and no others`() throws {
    let command = try Self.command(1, of: .slidingWindow(limit: 9, per: .microseconds(10)))
    var texts = Texts()
    for now in [1, 2, 2, 11] as [Int64] {
      _ = try texts.perform(command, at: .microseconds(now))
    }
    #expect(texts.state == "11 2 2000 2 11000 1")
    #expect(texts.end == .microseconds(21))
  }

  @Test func `the state of a lease is kept`() throws {
    let request = LeaseRequest(action: .acquire, owner: 7, duration: 5)
    let command = StoreCommand(request, key: "")
    let decision = try command.decision(for: nil, at: .microseconds(100))
    #expect(decision.newState == "7 100 105 5 0")
    #expect(decision.lifetime == nil)
  }

  @Test func `a time before 1970 counts as its beginning, and one without end does not overflow`()
    throws
  {
    for quota in Self.quotas {
      let command = try Self.command(1, of: quota)
      for now in [Duration.seconds(-5), .seconds(Int64.max)] {
        let first = try command.decision(for: nil, at: now)
        #expect(first.reply.first == 1)
        #expect(try command.decision(for: first.newState, at: now).reply.count == 2)
        #expect(try command.decision(for: first.newState, at: .zero).reply.count == 2)
      }
    }
  }

  @Test func `a text that is no state is refused with its beginning`() throws {
    let command = try Self.command(1, of: Self.bucket)
    for text in [
      "", "hello", "1", "1 0", "1 0 0 0", "1  0", "-1 0 0", "1 0 99999", "1 -1 0", "1 0 x",
    ] {
      #expect(throws: SharedStoreError.unexpectedState(text)) {
        try command.decision(for: text, at: .seconds(1))
      }
    }
    #expect("\(SharedStoreError.unexpectedState("hello"))".contains("The store has \"hello\""))
  }

  @Test func `a text that would deny for years is refused`() throws {
    let quota = Quota.tokenBucket(
      capacity: 4, refill: 1, every: .microseconds(8), style: .interval)
    let command = try Self.command(1, of: quota)
    // In nanoseconds; the interval ends at most 8 µs after the last grant.
    #expect(try command.decision(for: "100 0 108000", at: .microseconds(100)).reply == [0, 8])
    let state = "100 0 108001"
    #expect(throws: SharedStoreError.unexpectedState(state)) {
      try command.decision(for: state, at: .microseconds(100))
    }
  }

  @Test func `the message about a text shows its beginning`() {
    let text = "e" + String(repeating: "\u{301}", count: 1_000_000)
    #expect("\(SharedStoreError.unexpectedState(text))".utf8.count < 1_000)
  }

  @Test func `no text ends the process`() {
    let numbers: [Int64] = [.min, -1, 0, 1, 2, 3, 9, 10_000, 1 << 53, .max - 1, .max]
    var accepted = 0
    forAllSeeds { generator in
      let quota = Self.quotas.randomElement(using: &generator)!
      let text = (0..<Int.random(in: 0...9, using: &generator))
        .map { _ in "\(numbers.randomElement(using: &generator)!)" }.joined(separator: " ")
      let request = LeaseRequest(
        action: .init(rawValue: .random(in: 0...3, using: &generator))!, owner: 1, duration: 1)
      let commands = [
        try Self.command(1, of: quota),
        StoreCommand(request, key: ""),
      ]
      for command in commands {
        for now in [Duration.zero, .seconds(1_800_000_000), .seconds(Int64.max)] {
          if (try? command.decision(for: text, at: now)) != nil { accepted += 1 }
        }
      }
    }
    #expect(accepted > 5)
  }
}
