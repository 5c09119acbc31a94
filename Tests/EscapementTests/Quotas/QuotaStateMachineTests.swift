import TestSupport
import Testing
import _EscapementCore

@testable import Escapement

@Suite struct QuotaStateMachineTests {
  /// The machine and the model, side by side.
  private struct Comparison {
    var machine: QuotaStateMachine<Int>
    var model: QuotaModel
    /// How many permits the requests ask for.
    let sizes: ClosedRange<Int>
    var log: [String] = []
    var nextID = 0
    /// The machine's numbers of the queued requests.
    var numbers: [Int: Int] = [:]
    /// The time at which the machine said that each queued request would be granted.
    var promises: [Int: Int] = [:]
    var granted: Set<Int> = []

    init(using generator: inout SplitMix64) throws {
      model = QuotaModel(using: &generator)
      machine = QuotaStateMachine(
        algorithm: try model.quota.makeAlgorithm(), capacity: model.capacity)
      let size = Int.random(in: 1...model.capacity, using: &generator)
      sizes = [1...model.capacity, 1...1, size...size, model.capacity...model.capacity]
        .randomElement(using: &generator)!
      log.append("\(model.quota)")
    }

    mutating func step(using generator: inout SplitMix64) throws {
      let permits = Int.random(in: sizes, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<2: try tryAcquire(permits)
      case 2..<5: try admit(permits, isWaiter: true)
      case 5: try admit(permits, isWaiter: false)
      case 6: try admit(permits, isWaiter: true, patience: .random(in: 0...20, using: &generator))
      case 7:
        if let id = numbers.keys.sorted().randomElement(using: &generator) { try cancel(id) }
      default:
        model.advance(to: model.now + .random(in: 0...25, using: &generator))
      }
      try takeGranted()
    }

    mutating func takeGranted() throws {
      for id in machine.takeGranted() {
        try require(granted.insert(id).inserted, "\(id) was granted twice, \(log)")
      }
    }

    mutating func tryAcquire(_ permits: Int) throws {
      log.append("\(model.now) tryAcquire \(permits)")
      let readyAt = model.readyAt(permits)
      let isAllowed = model.tryAcquire(permits)
      switch machine.tryAcquire(permits, now: Int64(model.now)) {
      case .taken(let remaining):
        try require(isAllowed && remaining == model.remaining, "taken \(remaining), \(log)")
      case .notBefore(let time):
        try require(!isAllowed && time == readyAt, "\(time) instead of \(readyAt), \(log)")
      }
    }

    mutating func admit(_ permits: Int, isWaiter: Bool, patience: Int? = nil) throws {
      nextID += 1
      let id = nextID
      log.append("\(model.now) admit \(id) \(permits) \(isWaiter) \(patience ?? -1)")
      let deadline = patience.map { model.now + $0 }
      let readyAt = model.readyAt(permits)
      let admission = machine.admit(
        permits, now: Int64(model.now), before: deadline.map(Int64.init) ?? .max,
        waiter: isWaiter ? id : nil)
      switch admission {
      case .taken:
        try require(readyAt == model.now, "taken, but ready at \(readyAt), \(log)")
        try require(model.tryAcquire(permits), "taken by overtaking, \(log)")
        return
      case .refused(let time):
        try require(time == readyAt && readyAt > deadline!, "refused until \(time), \(log)")
        return
      case .queued(let number, let time):
        let isTimeNeeded = !isWaiter || deadline != nil
        try require(
          time == Int64(readyAt) || !isTimeNeeded && time == nil,
          "queued until \(time ?? -1) instead of \(readyAt), \(log)")
        try require(readyAt <= deadline ?? .max && readyAt > model.now, "queued, \(log)")
        numbers[id] = number
        promises[id] = readyAt
        model.enqueue(id, permits)
        if !isWaiter { granted.insert(id) }
      }
    }

    mutating func cancel(_ id: Int) throws {
      log.append("\(model.now) cancel \(id)")
      let isQueued = model.cancel(id)
      let wasQueued = machine.cancel(numbers.removeValue(forKey: id)!, now: Int64(model.now))
      try require(isQueued == wasQueued, "cancelled \(wasQueued), \(log)")
      guard isQueued else { return }
      promises[id] = nil
      // The requests behind it move up at once, not at the next event.
      try takeGranted()
      for id in model.grants.keys {
        try require(granted.contains(id), "\(id) has not moved up at once, \(log)")
      }
    }

    /// Waits until all requests must have been granted.
    mutating func finish() throws {
      model.advance(to: model.now + 10_000)
      machine.timerFired(0, now: Int64(model.now))
      granted.formUnion(machine.takeGranted())
      for (id, promise) in promises {
        try require(granted.contains(id), "\(id) was not granted, \(log)")
        try require(model.grants[id]! <= promise, "\(id) later than promised, \(log)")
      }
      // No request is left, so all permits are available again.
      try require(machine.isIdle(now: Int64(model.now)), "\(log)")
      guard case .none = machine.updateTimer() else {
        throw Violation(description: "a timer without a waiting task, \(log)")
      }
    }
  }

  @Test func `random requests, reservations and cancellations have the results of the model`() {
    forAllSeeds { generator in
      var comparison = try Comparison(using: &generator)
      for _ in 0..<Int.random(in: 1...25, using: &generator) {
        try comparison.step(using: &generator)
      }
      try comparison.finish()
    }
  }

  /// Takes permits at random times, and returns the time of each permit.
  private func greedyTimes(
    _ quota: Quota, capacity: Int, using generator: inout SplitMix64
  ) throws -> [Int64] {
    var algorithm = try quota.makeAlgorithm()
    var now: Int64 = 0
    var times: [Int64] = []
    for _ in 0..<40 {
      let permits = Int.random(in: 1...capacity, using: &generator)
      if algorithm.take(permits, at: now) != nil { times += repeatElement(now, count: permits) }
      now += .random(in: 0...15, using: &generator)
    }
    return times
  }

  @Test func `a sliding window never grants more than its limit in any window`() {
    forAllSeeds { generator in
      let limit = Int.random(in: 1...6, using: &generator)
      let window = Int.random(in: 1...30, using: &generator)
      let times = try greedyTimes(
        .slidingWindow(limit: limit, per: .nanoseconds(window)), capacity: limit,
        using: &generator)
      for (time, next) in zip(times, times.dropFirst(limit)) {
        try require(next - time >= window, "\(limit + 1) from \(time) to \(next): \(times)")
      }
    }
  }

  @Test func `a token bucket never grants more than its capacity and its refill`() {
    forAllSeeds { generator in
      let capacity = Int.random(in: 1...6, using: &generator)
      let refill = Int.random(in: 1...6, using: &generator)
      let interval = Int.random(in: 1...30, using: &generator)
      let times = try greedyTimes(
        .tokenBucket(capacity: capacity, refill: refill, every: .nanoseconds(interval)),
        capacity: capacity, using: &generator)
      // One pass checks all pairs of permits: the permits from the first to the second are at most
      // the capacity and the refill in the time between them.
      var lowest = Int.max
      for (index, time) in times.enumerated() {
        let ahead = index * interval - refill * Int(time)
        lowest = min(lowest, ahead)
        try require(
          ahead + interval <= capacity * interval + lowest, "permit \(index) at \(time): \(times)")
      }
    }
  }
}
