import TestSupport
import Testing

@testable import Escapement

@Suite struct ConcurrencyStateMachineTests {
  enum Event: CaseIterable { case begin, beginUrgent, end, cancelFirst, cancelLast, wait }

  @Test(arguments: [nil, 20] as [Int64?])
  func `every sequence of up to six events has the results of the model`(
    maximumDelay: Int64?
  ) throws {
    for events in sequences(of: Event.allCases, upTo: 6) {
      try check(events, maximumDelay: maximumDelay)
    }
  }

  @Test func `behind a task that gets its turn, those that have waited too long are refused`() {
    var machine = ConcurrencyStateMachine<Int>(
      algorithm: .fixed(1), maximumWaiting: .max, maximumDelay: 20)
    _ = machine.admit(0, at: 0)
    let (first, _) = machine.admit(1, at: 0)
    _ = machine.admit(2, at: 20)
    // Tasks have waited for more than 20 ns, so this one may wait for 1 ns.
    _ = machine.admit(3, at: 25)
    guard case .queued(let place) = first else { return #expect(Bool(false), "It waits.") }
    _ = machine.cancel(place)
    let ended = machine.finished(nil, at: 30)
    #expect(ended.map(\.waiter) == [2, 3])
    #expect(ended.map(\.hasTurn) == [true, false])
  }

  /// Compares the machine, with a limit of 2 and room for 2, with two lists.
  private func check(_ events: [Event], maximumDelay: Int64?) throws {
    typealias Machine = ConcurrencyStateMachine<Int>
    struct Waiting {
      let name: Int
      let isUrgent: Bool
      let deadline: Int64
      let place: ConcurrencyQueue<Int>.Place
    }
    var machine = Machine(algorithm: .fixed(2), maximumWaiting: 2, maximumDelay: maximumDelay)
    var (running, queue): ([Int], [Waiting]) = ([], [])
    var (next, now): (Int, Int64) = (0, 100)
    // Since when there is always a task of this kind.
    var filledAt: [Bool: Int64] = [:]
    for event in events {
      switch event {
      case .begin, .beginUrgent:
        next += 1
        let isUrgent = event == .beginUrgent
        let (admission, displaced) = machine.admit(next, isUrgent ? .high : .low, at: now)
        switch admission {
        case .running:
          try require(running.count < 2 && queue.isEmpty && displaced == nil, "runs, \(events)")
          running.append(next)
        case .queued(let place):
          try require(running.count == 2, "waits, \(events)")
          if queue.count == 2 {
            try require(displaced == queue[1].name && isUrgent, "displaces, \(events)")
            try require(!queue.removeLast().isUrgent, "displaces an urgent one, \(events)")
          } else {
            try require(displaced == nil, "displaces, \(events)")
          }
          if !queue.contains(where: { $0.isUrgent == isUrgent }) { filledAt[isUrgent] = now }
          let delay = maximumDelay.map { now - filledAt[isUrgent]! > $0 ? $0 / 20 : $0 }
          let index = isUrgent ? queue.firstIndex { !$0.isUrgent } ?? queue.count : queue.count
          queue.insert(
            Waiting(
              name: next, isUrgent: isUrgent, deadline: delay.map { now + $0 } ?? .max,
              place: place),
            at: index)
        case .refused:
          try require(queue.count == 2 && displaced == nil, "is refused, \(events)")
          try require(!isUrgent || queue[1].isUrgent, "is refused, \(events)")
        }
      case .end:
        guard !running.isEmpty else { continue }
        running.removeFirst()
        let ended = machine.finished(nil, at: now)
        var expected: [String] = []
        func removeLate() {
          for isUrgent in [true, false] {
            while let first = queue.first(where: { $0.isUrgent == isUrgent }), first.deadline < now
            {
              queue.removeAll { $0.name == first.name }
              expected.append("\(first.name) false")
            }
          }
        }
        removeLate()
        while running.count < 2, !queue.isEmpty {
          running.append(queue.removeFirst().name)
          expected.append("\(running.last!) true")
          removeLate()
        }
        try require(ended.map { "\($0.waiter) \($0.hasTurn)" } == expected, "\(ended), \(events)")
      case .cancelFirst, .cancelLast:
        guard let entry = event == .cancelFirst ? queue.first : queue.last else { continue }
        try require(machine.cancel(entry.place), "is not cancelled, \(events)")
        try require(!machine.cancel(entry.place), "is cancelled twice, \(events)")
        queue.removeAll { $0.name == entry.name }
      case .wait:
        now += 15
      }
      try require(machine.running == running.count, "running, \(events)")
      try require(machine.waiting == queue.count, "waiting, \(events)")
    }
  }

  /// A service that works on several operations at once, each of which takes a second, while others wait.
  @Test(arguments: [10, 100]) func `the limit finds what the service can do at the same time`(
    capacity: Int
  ) {
    var vegas = VegasLimit(limit: 20, range: 1...1_000)
    var limits: [Int] = []
    for _ in 0..<20_000 {
      let running = vegas.limit
      let time = Int64(1_000_000_000) * Int64(max(running, capacity)) / Int64(capacity)
      vegas.record(.init(time: time, running: running, isOverload: false))
      limits.append(vegas.limit)
    }
    let mean = limits.suffix(10_000).reduce(0, +) / 10_000
    #expect(mean >= capacity)
    #expect(mean <= capacity * 2 + 10)
  }

  @Test func `the limit shrinks with each overload, and stays within its range`() {
    var vegas = VegasLimit(limit: 20, range: 5...1_000)
    vegas.record(.init(time: 0, running: 20, isOverload: true))
    #expect(vegas.limit == 19)
    for _ in 0..<1_000 { vegas.record(.init(time: .max, running: 20, isOverload: true)) }
    #expect(vegas.limit == 5)
    var growing = VegasLimit(limit: 5, range: 5...30)
    for _ in 0..<1_000 { growing.record(.init(time: 1, running: growing.limit, isOverload: false)) }
    #expect(growing.limit == 30)
  }

  @Test func `few operations do not change the limit`() {
    var vegas = VegasLimit(limit: 20, range: 1...1_000)
    for _ in 0..<500 { vegas.record(.init(time: 1, running: 9, isOverload: false)) }
    #expect(vegas.limit == 20)
    vegas.record(.init(time: 1, running: 10, isOverload: false))
    #expect(vegas.limit == 26)
  }

  @Test func `the limit grows when the operations that ran at the last growth have ended`() {
    var vegas = VegasLimit(limit: 20, range: 1...1_000)
    var limits: [Int] = []
    for _ in 0..<41 {
      vegas.record(.init(time: 1, running: 20, isOverload: false))
      limits.append(vegas.limit)
    }
    #expect(limits == Array(repeating: 26, count: 20) + Array(repeating: 32, count: 20) + [38])
  }

  @Test func `the limit grows at once after an outage`() {
    var vegas = VegasLimit(limit: 500, range: 1...1_000)
    vegas.record(.init(time: 1, running: 500, isOverload: false))
    for _ in 0..<1_000 { vegas.record(.init(time: 1, running: 1, isOverload: true)) }
    #expect(vegas.limit == 1)
    vegas.record(.init(time: 1, running: 1, isOverload: false))
    #expect(vegas.limit == 7)
  }

  @Test func `a service that has become slower for good has its limit back soon`() {
    var vegas = VegasLimit(limit: 1_000, range: 1...1_000)
    vegas.record(.init(time: 1, running: 1_000, isOverload: false))
    var least = 1_000
    for _ in 0..<5_000 {
      vegas.record(.init(time: 10, running: vegas.limit, isOverload: false))
      least = min(least, vegas.limit)
    }
    #expect(least < 20)
    #expect(vegas.limit > 100)
  }

  @Test func `extreme times do not overflow`() {
    var vegas = VegasLimit(limit: 1_000_000, range: 1...1_000_000)
    for time in [Int64.min, 0, 1, .max, 1, .max] {
      vegas.record(.init(time: time, running: .max / 2, isOverload: false))
    }
    #expect(1...1_000_000 ~= vegas.limit)
  }
}
