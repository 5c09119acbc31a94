import TestSupport
import Testing
import _EscapementCore

@Suite struct TimerQueueTests {
  @Test func `an empty queue has no first entry`() {
    var queue = TimerQueue<Int, String>()
    #expect(queue.isEmpty)
    #expect(queue.firstDeadline == nil)
    #expect(queue.popFirst() == nil)
    #expect(queue.inOrder.isEmpty)
  }

  @Test func `the earliest deadline leaves first`() {
    var queue = TimerQueue<Int, String>()
    for (deadline, name) in [(3, "c"), (1, "a"), (2, "b")] {
      _ = queue.insert(name, at: deadline)
    }
    #expect(queue.firstDeadline == 1)
    #expect(queue.inOrder.map(\.element) == ["a", "b", "c"])
    #expect(queue.popAll().map(\.element) == ["a", "b", "c"])
  }

  @Test func `equal deadlines leave in the order of insertion`() {
    var queue = TimerQueue<Int, Int>()
    for number in 0..<1000 { _ = queue.insert(number, at: number % 3) }
    let expected = (0..<3).flatMap { rest in (0..<1000).filter { $0 % 3 == rest } }
    #expect(queue.popAll().map(\.element) == expected)
  }

  @Test func `an entry can be removed only once`() {
    var queue = TimerQueue<Int, String>()
    let token = queue.insert("a", at: 1)
    #expect(queue.remove(token) == "a")
    #expect(queue.remove(token) == nil)
    #expect(queue.popFirst() == nil)
  }

  @Test func `an entry marked as last stays behind later entries of the same deadline`() {
    var queue = TimerQueue<Int, String>()
    _ = queue.insert("last", at: 1, last: true)
    _ = queue.insert("a", at: 1)
    _ = queue.insert("earlier", at: 0)
    _ = queue.insert("b", at: 1)
    _ = queue.insert("last of all", at: 1, last: true)
    _ = queue.insert("later", at: 2)
    let order = queue.inOrder.map(\.element)
    #expect(order == ["earlier", "a", "b", "last", "last of all", "later"])
  }

  @Test func `a token does not identify the entry that takes its place`() {
    var queue = TimerQueue<Int, String>()
    let old = queue.insert("old", at: 1)
    _ = queue.remove(old)
    let new = queue.insert("new", at: 2)
    #expect(queue.remove(old) == nil)
    #expect(!queue.contains(old))
    #expect(queue.contains(new))
    #expect(TimerToken(rawValue: new.rawValue) == new)
    #expect(new.rawValue != old.rawValue)
  }

  @Test func `an element can be changed only while it is in the queue`() {
    var queue = TimerQueue<Int, String>()
    let token = queue.insert("a", at: 1)
    #expect(queue.update(token) { $0 += "b" })
    #expect(queue.popFirst()?.element == "ab")
    #expect(!queue.update(token) { $0 += "c" })
    #expect(queue.isEmpty)
  }

  @Test(arguments: [1, 2, 5, 50, 10_000], 0..<8 as Range<UInt64>)
  func `random operations have the same results as on a sorted list`(deadlines: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var queue = TimerQueue<Int, Int>()
    var model = SortedListModel()
    for step in 0..<2_000 {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<50:
        let deadline = Int.random(in: 0..<deadlines, using: &random)
        let token = queue.insert(step, at: deadline)
        model.insert(step, at: deadline, token: token)
      case 50..<75:
        let popped = queue.popFirst()
        let expected = model.popFirst()
        #expect(popped?.element == expected?.element, "seed \(seed), step \(step)")
        #expect(popped?.deadline == expected?.deadline, "seed \(seed), step \(step)")
      case 75..<98:
        guard let token = model.tokens.randomElement(using: &random) else { continue }
        #expect(queue.remove(token) == model.remove(token), "seed \(seed), step \(step)")
      case 98:
        let later = { (deadline: Int, element: Int) in
          element % 3 == 0 ? deadlines - deadline : deadline
        }
        queue.changeDeadlines { deadline, _, element in later(deadline, element) }
        model.changeDeadlines(later)
      default:
        // All entries but three are removed.
        for token in model.liveTokens.shuffled(using: &random).dropFirst(3) {
          #expect(queue.remove(token) == model.remove(token), "seed \(seed), step \(step)")
        }
      }
      #expect(queue.count == model.entries.count, "seed \(seed), step \(step)")
      #expect(queue.firstDeadline == model.entries.first?.deadline, "seed \(seed), step \(step)")
      #expect(queue.first == model.entries.first?.element, "seed \(seed), step \(step)")
    }
    #expect(queue.inOrder.map(\.element) == model.entries.map(\.element), "seed \(seed)")
    for deadline in Set(model.entries.map(\.deadline)) {
      let due = model.entries.filter { $0.deadline <= deadline }
      #expect(queue.entries(through: deadline).map(\.element) == due.map(\.element), "seed \(seed)")
    }
    #expect(queue.popAll().map(\.element) == model.entries.map(\.element), "seed \(seed)")
  }

  @Test func `removing all entries takes O(n log n) comparisons`() {
    let count = 10_000
    var random = SplitMix64(seed: 1)
    let comparisons = Comparisons()
    var queue = TimerQueue<CountedDeadline, Void>()
    var tokens = (0..<count).map { number in
      queue.insert((), at: CountedDeadline(value: number, comparisons: comparisons))
    }
    tokens.shuffle(using: &random)
    comparisons.count = 0
    for token in tokens {
      _ = queue.remove(token)
      _ = queue.firstDeadline
    }
    #expect(queue.isEmpty)
    // 14 is the binary logarithm of the count. Each level of the heap compares up to eight times.
    #expect(comparisons.count < count * 14 * 8)
  }
}

extension TimerQueue {
  fileprivate mutating func popAll() -> [(deadline: Deadline, element: Element)] {
    var all: [(deadline: Deadline, element: Element)] = []
    while let next = popFirst() { all.append(next) }
    return all
  }
}

/// The reference model: a list that is always sorted.
private struct SortedListModel {
  var entries: [(deadline: Int, element: Int, token: TimerToken)] = []
  /// All tokens so far.
  var tokens: [TimerToken] = []

  var liveTokens: [TimerToken] { entries.map(\.token) }

  mutating func insert(_ element: Int, at deadline: Int, token: TimerToken) {
    let index = entries.firstIndex { $0.deadline > deadline } ?? entries.endIndex
    entries.insert((deadline, element, token), at: index)
    tokens.append(token)
  }

  /// Elements grow from one insertion to the next.
  mutating func changeDeadlines(_ change: (Int, Int) -> Int) {
    for index in entries.indices {
      entries[index].deadline = change(entries[index].deadline, entries[index].element)
    }
    entries.sort { ($0.deadline, $0.element) < ($1.deadline, $1.element) }
  }

  mutating func popFirst() -> (deadline: Int, element: Int)? {
    guard !entries.isEmpty else { return nil }
    let first = entries.removeFirst()
    return (first.deadline, first.element)
  }

  mutating func remove(_ token: TimerToken) -> Int? {
    guard let index = entries.firstIndex(where: { $0.token == token }) else { return nil }
    return entries.remove(at: index).element
  }
}

private final class Comparisons {
  var count = 0
}

private struct CountedDeadline: Comparable {
  let value: Int
  let comparisons: Comparisons

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.comparisons.count += 1
    return lhs.value == rhs.value
  }

  static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.comparisons.count += 1
    return lhs.value < rhs.value
  }
}
