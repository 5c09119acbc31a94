import EscapementModels
import Foundation
import Testing
import _EscapementCore

@Suite struct CheckTests {
  @Test func `calls that do not overlap have one order`() {
    #expect(Register.verdict("[1] [a] [2] [b]"))
    #expect(!Register.verdict("[1]     [a]", "    [2]"))
    #expect(Register.verdict("[1]     [b]", "    [2]"))
    #expect(!Register.verdict("[a]"))
    #expect(Register.verdict("[o]"))
    #expect(Register.verdict())
  }

  @Test func `a call may take effect at any instant while it is under way`() {
    #expect(Register.verdict("[1        ]", "  [o] [a] "))
    #expect(!Register.verdict("[1        ]", "  [a] [o] "))
    #expect(Register.verdict("[1   ]   [a]", "  [2   ]    "))
    #expect(Register.verdict("[1   ]   [b]", "  [2   ]    "))
    #expect(!Register.verdict("[1   ]   [c]", "  [2   ]    "))
    // Two readers agree on the order.
    #expect(Register.verdict("[1             ]", "[2             ]", "  [a] [b]", "  [a] [b]"))
    #expect(!Register.verdict("[1             ]", "[2             ]", "  [a] [b]", "  [b] [a]"))
  }

  @Test func `a call without an answer may have happened or not`() {
    #expect(Register.verdict("[1", "   [o]"))
    #expect(Register.verdict("[1", "   [a]"))
    #expect(Register.verdict("[1", "   [o] [o] [a]"))
    #expect(!Register.verdict("[1", "   [a] [o]"))
    #expect(!Register.verdict("    [1", "[a]"))
  }

  /// Tries all orders.
  private static func isLinearizable(_ history: History<Register.Call, Int>) -> Bool {
    func search(_ model: Register, _ made: Set<Int>) -> Bool {
      let left = history.entries.indices.filter { !made.contains($0) }
      let answered = left.filter { history.entries[$0].end != nil }
      if answered.isEmpty { return true }
      let firstEnd = answered.map { history.entries[$0].end! }.min()!
      return left.contains { index in
        let entry = history.entries[index]
        var next = model
        let answer = next.answer(to: entry.call)
        return entry.beginning < firstEnd && (entry.answer == nil || entry.answer == answer)
          && search(next, made.union([index]))
      }
    }
    return search(Register(), [])
  }

  @Test func `of random histories, those are right that a search through all orders finds right`() {
    var verdicts: [Bool: Int] = [:]
    for seed in 0..<3_000 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var (history, model) = (History<Register.Call, Int>(), Register())
      var open: [(number: Int, call: Register.Call)] = []
      for client in 0..<7 {
        let call = Register.randomCall(&random)
        open.append((history.begin(call, by: "\(client)"), call))
        while open.count > random.index(below: 4) {
          let (number, call) = open.remove(at: random.index(below: open.count))
          let answer = model.answer(to: call)
          // Some have a wrong answer, some have none.
          switch random.index(below: 8) {
          case 0: break
          case 1: history.end(number, with: random.index(below: 3))
          default: history.end(number, with: answer)
          }
        }
      }
      let expected = Self.isLinearizable(history)
      verdicts[expected, default: 0] += 1
      let verdict = Register().check(history)
      switch (verdict, expected) {
      case (.right, true), (.wrong, false): break
      default: Issue.record("seed \(seed): \(verdict), \(history)")
      }
    }
    #expect(verdicts[true]! > 300 && verdicts[false]! > 300, "\(verdicts)")
  }

  @Test func `histories that a model has really made are right`() {
    for seed in 0..<1_000 as Range<UInt64> {
      let history = History.random(
        Register(), clients: 5, calls: 60, unanswered: 5, seed: seed, Register.randomCall)
      guard case .right = Register().check(history) else {
        Issue.record("seed \(seed): \(history)")
        continue
      }
    }
  }

  @Test func `each key is checked by itself`() {
    let histories = (0..<100 as Range<UInt64>).map { seed in
      History.random(Registers(), clients: 30, calls: 300, seed: seed) { random in
        Registers.Call(name: random.index(below: 20), call: Register.randomCall(&random))
      }
    }
    for history in histories {
      guard case .right = Registers().check(history, steps: 100_000) else {
        Issue.record("\(history)")
        continue
      }
    }
    var wrong = histories[0]
    let number = wrong.begin(Registers.Call(name: 3, call: .get), by: "late")
    wrong.end(number, with: 9)
    guard case .wrong(let violation) = Registers().check(wrong) else {
      Issue.record("not found")
      return
    }
    #expect(violation.entries.allSatisfy { $0.call.name == 3 })
    #expect(violation.misfits.map { violation.entries[$0.index].client } == ["late"])
  }

  @Test(arguments: [0, 10]) func `a search without steps left does not know`(steps: Int) {
    let history = History.random(
      Register(), clients: 5, calls: 60, seed: 1, Register.randomCall)
    guard case .unknown = Register().check(history, steps: steps) else {
      Issue.record("known")
      return
    }
  }

  @Test func `a long history takes few steps`() {
    let history = History.random(
      Register(), clients: 4, calls: 20_000, seed: 1, Register.randomCall)
    guard case .right = Register().check(history, steps: 200_000) else {
      Issue.record("not right")
      return
    }
  }

  /// Gives numbers out, in any order.
  private struct Tickets: Model {
    enum Call { case take, isLeft(Int) }
    var left: Set<Int> = [1, 2, 3]

    mutating func answer(to call: Call) -> Int {
      switch call {
      case .take: left.remove(left.min() ?? 0) ?? 0
      case .isLeft(let number): left.contains(number) ? 1 : 0
      }
    }

    mutating func allows(_ answer: Int, to call: Call) -> Bool {
      guard case .take = call else { return self.answer(to: call) == answer }
      return left.isEmpty ? answer == 0 : left.remove(answer) != nil
    }

    func states(after call: Call) -> [Self] {
      guard case .take = call, !left.isEmpty else { return [self] }
      return left.map { Tickets(left: left.subtracting([$0])) }
    }

    /// A letter takes a ticket, or asks for one that is left (`x`) or not (`a` to `c`).
    static func isRight(_ lanes: String...) -> Bool {
      let calls: [Character: (Call, Int)] = [
        "1": (.take, 1), "2": (.take, 2), "3": (.take, 3), "0": (.take, 0),
        "a": (.isLeft(1), 0), "b": (.isLeft(2), 0), "c": (.isLeft(3), 0),
        "A": (.isLeft(1), 1), "B": (.isLeft(2), 1), "C": (.isLeft(3), 1),
      ]
      if case .right = Tickets().check(History(lanes, calls)) { return true } else { return false }
    }
  }

  @Test func `a model may allow more than one answer`() {
    #expect(Tickets.isRight("[3] [1] [2] [0]"))
    #expect(!Tickets.isRight("[3] [1] [3]"))
    #expect(!Tickets.isRight("[3] [0]"))
  }

  @Test func `a call without an answer may have had each that is allowed`() {
    #expect(Tickets.isRight("[1", "   [c] [B]"))
    #expect(Tickets.isRight("[1", "[1", "   [c] [A] [b]"))
    #expect(!Tickets.isRight("[1", "   [c] [b]"))
    #expect(!Tickets.isRight("[1", "   [c] [C]"))
    #expect(Tickets.isRight("[1", "   [2] [1] [0]"))
    #expect(!Tickets.isRight("[2] [1] [0]"))
  }

  @Test func `a history can be read and written`() throws {
    let history = History(["[1", "   [a]"], Register.calls)
    let data = try JSONEncoder().encode(history)
    let read = try JSONDecoder().decode(History<Register.Call, Int>.self, from: data)
    #expect("\(read)" == "\(history)")
    var more = read
    #expect(more.begin(.get, by: "client 2") == 2)
    #expect(more.entries[2].beginning == 3)
  }

  @Test func `an answer that is nil is an answer when it has been read, too`() throws {
    var history = History<Int, Int?>()
    history.end(history.begin(1, by: "a"), with: nil)
    _ = history.begin(2, by: "a")
    let data = try JSONEncoder().encode(history)
    let read = try JSONDecoder().decode(History<Int, Int?>.self, from: data)
    #expect(read.entries.map { $0.answer == nil } == [false, true])
    #expect(read.entries.map(\.end) == [1, nil])
  }

  @Test(arguments: [
    [(0, 1), (1, 2)], [(0, 0)], [(1, 0)], [(-1, 1)], [(0, Int.max)], [(0, 1), (0, 2)],
  ])
  func `a history whose places cannot be is not read`(places: [(Int, Int)]) {
    let entries = places.map {
      #"{"client":"a","call":1,"answer":1,"beginning":\#($0),"end":\#($1)}"#
    }
    let data = Data(#"{"entries":[\#(entries.joined(separator: ","))]}"#.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(History<Int, Int>.self, from: data)
    }
  }

  @Test func `a call that fits nowhere is found in a long history`() {
    var history = History<Register.Call, Int>()
    let lost = history.begin(.get, by: "lost")
    for number in 0..<5_000 {
      history.end(history.begin(.set(number % 7), by: "client"), with: number % 7)
    }
    history.end(lost, with: 9)
    guard case .wrong(let violation) = Register().check(history, steps: 50_000) else {
      Issue.record("not wrong")
      return
    }
    #expect(violation.longest == Array(1...5_000))
  }
}
