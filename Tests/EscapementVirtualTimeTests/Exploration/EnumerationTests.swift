import TestSupport
import Testing
import _EscapementCore

@testable import EscapementVirtualTime

@Suite struct EnumerationTests {
  /// A program: how many candidates the next decision has after some choices; `nil` at its end.
  private struct Program {
    let seed: UInt64
    let length: Int

    func candidates(after choices: [Int]) -> Int? {
      guard choices.count < length else { return nil }
      var random = SplitMix64(seed: choices.reduce(seed) { $0 &* 31 &+ UInt64($1) &+ 1 })
      // Choices may let it end sooner.
      let number = random.index(below: 12)
      return number == 0 && !choices.isEmpty ? nil : 1 + number % 3
    }

    /// The choices of each run, found by trying each candidate of each decision.
    func runs(after choices: [Int] = []) -> [[Int]] {
      guard let count = candidates(after: choices) else { return [choices] }
      return (0..<count).flatMap { runs(after: choices + [$0]) }
    }

    /// Follows an order; returns the choices, and how many candidates there were.
    func run(_ order: ExecutionSchedule) -> (choices: [Int], counts: [UInt16]) {
      var (choices, counts): ([Int], [UInt16]) = ([], [])
      while let count = candidates(after: choices) {
        let overtaking = order.overtakings.first { $0.decision == choices.count }
        choices.append(overtaking?.kind.drawn ?? 0)
        counts.append(UInt16(count))
      }
      return (choices, counts)
    }

    /// The choices in the order of the enumeration, and what it says at the end.
    func enumerated(limit: Int = .max) -> (runs: [[Int]], orders: Enumeration) {
      var (orders, runs) = (Enumeration(limit: limit), [[Int]]())
      while let order = orders.next() {
        let (choices, counts) = run(order)
        runs.append(choices)
        orders.tried(order, counts: counts)
      }
      return (runs, orders)
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>, 0...6)
  func `each run of a program comes once, those with the fewest overtakings first`(
    seed: UInt64, length: Int
  ) {
    let program = Program(seed: seed, length: length)
    let (runs, orders) = program.enumerated()
    let all = program.runs()
    #expect(runs.count == all.count)
    #expect(Set(runs) == Set(all))
    let overtakings = runs.map { $0.count { $0 > 0 } }
    #expect(overtakings == overtakings.sorted())
    #expect(orders.left == 0 && orders.tried == all.count)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `a limit ends the enumeration where it is, and says whether there is more`(seed: UInt64) {
    let program = Program(seed: seed, length: 5)
    let all = program.enumerated().runs
    for limit in 0...all.count + 1 {
      let (runs, orders) = program.enumerated(limit: limit)
      #expect(runs == Array(all.prefix(limit)))
      #expect((orders.left == 0) == (limit >= all.count))
    }
  }

  @Test func `the text says which orders were tried`() {
    // Four decisions of two candidates each.
    func text(_ limit: Int) -> String {
      var orders = Enumeration(limit: limit)
      while let order = orders.next() { orders.tried(order, counts: [2, 2, 2, 2]) }
      return "\(orders)"
    }
    #expect(text(0) == "no order was tried")
    #expect(text(1) == "the plain order was tried, and 0 of 4 with 1 overtaking")
    #expect(text(4) == "the plain order was tried, and 3 of 4 with 1 overtaking")
    #expect(text(5) == "the 5 orders with at most 1 overtaking were tried, and 0 of 6 with 2")
    #expect(text(14) == "the 11 orders with at most 2 overtakings were tried, and 3 of 4 with 3")
    #expect(text(15) == "the 15 orders with at most 3 overtakings were tried, and 0 of 1 with 4")
    #expect(text(16) == "all 16 orders were tried")
    #expect(text(17) == "all 16 orders were tried")
    var one = Enumeration(limit: 9)
    one.tried(.plain, counts: [1, 1])
    #expect("\(one)" == "the only order was tried")
  }
}
