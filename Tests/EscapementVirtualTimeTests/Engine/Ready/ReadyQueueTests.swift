import TestSupport
import Testing
import _EscapementCore

@testable import EscapementVirtualTime

@Suite struct ReadyQueueTests {
  @Test func `an empty queue has nothing to give`() {
    var queue = ReadyQueue()
    #expect(queue.popFirst() == nil)
  }

  @Test(arguments: [1, 15, 16, 17, 31, 32, 33, 1000])
  func `jobs leave in the order in which they came, however many`(count: Int) {
    var queue = ReadyQueue()
    for number in 0..<count { queue.append(.standIn(number)) }
    for number in 0..<count { #expect(queue.popFirst()?.job.number == number) }
    #expect(queue.popFirst() == nil)
  }

  @Test func `nothing is left after all were removed, and the queue can be used again`() {
    var queue = ReadyQueue()
    for number in 0..<20 { queue.append(.standIn(number)) }
    queue.removeAll()
    #expect(queue.popFirst() == nil)
    queue.append(.standIn(7))
    #expect(queue.popFirst()?.job.number == 7)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `does what an array does`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var queue = ReadyQueue()
    var reference: [Int] = []
    let appends = Int.random(in: 4...6, using: &random)
    for number in 0..<400 {
      if Int.random(in: 0..<10, using: &random) < appends {
        queue.append(.standIn(number))
        reference.append(number)
      } else if let place = reference.indices.randomElement(using: &random), random.next() % 3 == 0
      {
        queue.bringForward(place)
        reference.insert(reference.remove(at: place), at: 0)
      } else {
        let expected = reference.isEmpty ? nil : reference.removeFirst()
        #expect(queue.popFirst()?.job.number == expected)
      }
    }
    #expect(queue.count == reference.count)
    #expect(reference.indices.map { queue[$0].job.number } == reference)
    for expected in reference { #expect(queue.popFirst()?.job.number == expected) }
  }
}
