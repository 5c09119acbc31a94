import TestSupport
import Testing

@testable import Escapement

@Suite struct ConcurrencyStateMachineTests {
  enum Event: CaseIterable { case begin, end, cancelFirst, cancelLast }

  @Test func `every sequence of up to eight events has the results of the model`() throws {
    for events in sequences(of: Event.allCases, upTo: 8) {
      try check(events)
    }
  }

  /// Compares the machine, with a limit of 2 and room for 2, with two lists.
  private func check(_ events: [Event]) throws {
    var machine = ConcurrencyStateMachine<Int>(algorithm: .fixed(2), maximumWaiting: 2)
    var (running, queue): ([Int], [(name: Int, id: Int)]) = ([], [])
    var next = 0
    for event in events {
      switch event {
      case .begin:
        next += 1
        switch machine.admit(next) {
        case .running:
          try require(running.count < 2 && queue.isEmpty, "runs, \(events)")
          running.append(next)
        case .queued(let id):
          try require(running.count == 2 && queue.count < 2, "waits, \(events)")
          queue.append((next, id))
        case .refused:
          try require(queue.count == 2, "is refused, \(events)")
        }
      case .end:
        guard !running.isEmpty else { continue }
        running.removeFirst()
        let granted = machine.finished(nil)
        try require(granted == queue.prefix(1).map(\.name), "\(granted), \(events)")
        running += granted
        queue.removeFirst(granted.count)
      case .cancelFirst, .cancelLast:
        guard let entry = event == .cancelFirst ? queue.first : queue.last else { continue }
        try require(machine.cancel(entry.id), "is not cancelled, \(events)")
        try require(!machine.cancel(entry.id), "is cancelled twice, \(events)")
        queue.removeAll { $0.id == entry.id }
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
    for _ in 0..<1_000 { growing.record(.init(time: 1, running: 1_000, isOverload: false)) }
    #expect(growing.limit == 30)
  }

  @Test func `few operations do not change the limit`() {
    var vegas = VegasLimit(limit: 20, range: 1...1_000)
    for _ in 0..<500 { vegas.record(.init(time: 1, running: 9, isOverload: false)) }
    #expect(vegas.limit == 20)
    vegas.record(.init(time: 1, running: 10, isOverload: false))
    #expect(vegas.limit == 26)
  }

  @Test func `extreme times do not overflow`() {
    var vegas = VegasLimit(limit: 1_000_000, range: 1...1_000_000)
    for time in [Int64.min, 0, 1, .max, 1, .max] {
      vegas.record(.init(time: time, running: .max / 2, isOverload: false))
    }
    #expect(1...1_000_000 ~= vegas.limit)
  }
}
