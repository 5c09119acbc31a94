/// Identifies one entry of a ``TimerQueue``.
///
/// A token never identifies another entry, even if that takes the place of an entry that has left.
@frozen public struct TimerToken: Hashable, Sendable {
  @usableFromInline let slot: UInt32
  @usableFromInline let generation: UInt32

  @inlinable init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  /// The token as a number that is not 0 and whose two highest bits are 0.
  @inlinable public var rawValue: UInt64 { UInt64(generation) << 32 | UInt64(slot) + 1 }

  /// The token with this number, which must come from `rawValue`.
  @inlinable public init(rawValue: UInt64) {
    self.init(
      slot: UInt32(truncatingIfNeeded: rawValue) - 1,
      generation: UInt32(truncatingIfNeeded: rawValue >> 32))
  }
}

/// A priority queue of timers: earliest deadline first, equal deadlines in the order of arming.
///
/// The queue is a four-ary heap of small keys and a table of elements. A removal empties the
/// entry's place in the table and leaves its key in the heap, as a dead key. The queue drops a dead
/// key when it reaches the top, and rebuilds the heap when more than half of the keys are dead. So
/// a removal does not search or sift. The keys need no back pointers, which would cost a cache miss
/// per level in a large heap.
///
/// - Complexity: `insert` and `popFirst` O(log n), `remove` O(log n) amortised, `first` O(1).
@frozen public struct TimerQueue<Deadline: Comparable, Element> {
  @usableFromInline @frozen struct Key {
    @usableFromInline let deadline: Deadline
    @usableFromInline let order: UInt64
    @usableFromInline let token: TimerToken

    @inlinable init(deadline: Deadline, order: UInt64, token: TimerToken) {
      self.deadline = deadline
      self.order = order
      self.token = token
    }

    @inlinable static func < (lhs: Self, rhs: Self) -> Bool {
      // No branch, because the processor would mispredict every other one. This halves the time of
      // a queue that fits into the cache.
      let (earlier, equal) = (lhs.deadline < rhs.deadline, lhs.deadline == rhs.deadline)
      let armedBefore = lhs.order < rhs.order
      return (earlier ? 1 : 0) | (equal ? 1 : 0) & (armedBefore ? 1 : 0) != 0
    }
  }

  @usableFromInline @frozen struct Slot {
    @usableFromInline var element: Element?
    @usableFromInline var generation: UInt32 = 0
    @usableFromInline var nextFree: UInt32 = .max

    @inlinable init(element: Element) { self.element = element }
  }

  /// Invariant: the first key, if there is one, is not dead.
  @usableFromInline var heap: ContiguousArray<Key> = []
  @usableFromInline var slots: ContiguousArray<Slot> = []
  @usableFromInline var firstFree: UInt32 = .max
  @usableFromInline var nextOrder: UInt64 = 0

  @usableFromInline var liveCount = 0

  /// Creates an empty queue.
  @inlinable public init() {}

  /// The number of entries.
  @inlinable public var count: Int { liveCount }

  /// Whether there is no entry.
  @inlinable public var isEmpty: Bool { liveCount == 0 }

  /// The earliest deadline.
  @inlinable public var firstDeadline: Deadline? { heap.first?.deadline }

  /// The entry with the earliest deadline.
  @inlinable public var first: Element? { heap.first.flatMap { slots[Int($0.token.slot)].element } }

  /// Adds an entry behind all others of the same deadline.
  ///
  /// - Parameters:
  ///   - element: The element of the entry.
  ///   - deadline: The deadline of the entry.
  ///   - last: Whether entries of the same deadline that are added later go before this one, unless
  ///     they are `last` too.
  /// - Returns: A token that identifies the entry.
  @inlinable public mutating func insert(
    _ element: Element, at deadline: Deadline, last: Bool = false
  ) -> TimerToken {
    let token = fillSlot(with: element)
    let order = last ? nextOrder | 1 << 63 : nextOrder
    let key = Key(deadline: deadline, order: order, token: token)
    nextOrder &+= 1
    liveCount += 1
    heap.append(key)
    siftUp(from: heap.count - 1)
    return token
  }

  /// Removes an entry and returns its element, or returns `nil` if the entry has left the queue.
  @inlinable public mutating func remove(_ token: TimerToken) -> Element? {
    guard isLive(token) else { return nil }
    let element = emptySlot(of: token)
    liveCount -= 1
    dropDeadKeys()
    return element
  }

  /// Removes and returns the entry with the earliest deadline.
  @inlinable public mutating func popFirst() -> (deadline: Deadline, element: Element)? {
    guard let first = heap.first else { return nil }
    removeFirstKey()
    let element = emptySlot(of: first.token)!
    liveCount -= 1
    dropDeadKeys()
    return (first.deadline, element)
  }

  /// Changes the element of an entry.
  ///
  /// Returns `false` if the entry has left the queue.
  @inlinable public mutating func update(
    _ token: TimerToken, _ change: (inout Element) -> Void
  ) -> Bool {
    guard isLive(token) else { return false }
    change(&slots[Int(token.slot)].element!)
    return true
  }

  /// Changes the deadlines of entries; those that are equal then leave in the order of arming.
  ///
  /// - Complexity: O(n).
  @inlinable public mutating func changeDeadlines(
    _ change: (Deadline, TimerToken, Element) -> Deadline
  ) {
    var isChanged = false
    for index in heap.indices where isLive(heap[index].token) {
      let key = heap[index]
      let deadline = change(key.deadline, key.token, slots[Int(key.token.slot)].element!)
      guard deadline != key.deadline else { continue }
      heap[index] = Key(deadline: deadline, order: key.order, token: key.token)
      isChanged = true
    }
    if isChanged { restoreHeap() }
  }

  /// All entries in the order in which they would leave the queue.
  ///
  /// - Complexity: O(n log n).
  @inlinable public var inOrder: [(deadline: Deadline, token: TimerToken, element: Element)] {
    heap.filter { isLive($0.token) }.sorted { $0 < $1 }
      .map { ($0.deadline, $0.token, slots[Int($0.token.slot)].element!) }
  }

  /// The entries up to a deadline, in the order in which they would leave the queue.
  ///
  /// - Complexity: O(k log k), where k is the number of these entries and of dead keys among them.
  @inlinable public func entries(
    through deadline: Deadline
  ) -> [(token: TimerToken, element: Element)] {
    // A key is not earlier than its parent.
    var found: [Key] = []
    var next = heap.isEmpty ? [] : [0]
    while let index = next.popLast() {
      guard heap[index].deadline <= deadline else { continue }
      if isLive(heap[index].token) { found.append(heap[index]) }
      next += (4 * index + 1)..<max(4 * index + 1, min(4 * index + 5, heap.count))
    }
    return found.sorted { $0 < $1 }.map { ($0.token, slots[Int($0.token.slot)].element!) }
  }

  /// Whether an entry is in the queue.
  @inlinable public func contains(_ token: TimerToken) -> Bool { isLive(token) }
}

// MARK: - Slots

extension TimerQueue {
  @inlinable func isLive(_ token: TimerToken) -> Bool {
    token.slot < slots.count && slots[Int(token.slot)].generation == token.generation
      && slots[Int(token.slot)].element != nil
  }

  @inlinable mutating func fillSlot(with element: Element) -> TimerToken {
    guard firstFree != .max else {
      precondition(slots.count < Int32.max, "A timer queue holds at most 2^31 timers at once.")
      slots.append(Slot(element: element))
      return TimerToken(slot: UInt32(slots.count - 1), generation: 0)
    }
    let slot = firstFree
    firstFree = slots[Int(slot)].nextFree
    slots[Int(slot)].element = element
    return TimerToken(slot: slot, generation: slots[Int(slot)].generation)
  }

  @inlinable mutating func emptySlot(of token: TimerToken) -> Element? {
    let element = slots[Int(token.slot)].element.take()
    slots[Int(token.slot)].generation = (slots[Int(token.slot)].generation + 1) & .max >> 2
    slots[Int(token.slot)].nextFree = firstFree
    firstFree = token.slot
    return element
  }
}

// MARK: - Heap

extension TimerQueue {
  @inlinable mutating func siftUp(from start: Int) {
    heap.withUnsafeMutableBufferPointer { heap in
      let key = heap[start]
      var hole = start
      while hole > 0 {
        let parent = (hole - 1) / 4
        guard key < heap[parent] else { break }
        heap[hole] = heap[parent]
        hole = parent
      }
      heap[hole] = key
    }
  }

  @inlinable mutating func siftDown(from start: Int) {
    heap.withUnsafeMutableBufferPointer { heap in
      let key = heap[start]
      var hole = start
      while true {
        let child = 4 * hole + 1
        var smallest = child
        if child + 3 < heap.count {
          // The processor can do the first two comparisons at the same time.
          let left = heap[child + 1] < heap[child] ? child + 1 : child
          let right = heap[child + 3] < heap[child + 2] ? child + 3 : child + 2
          smallest = heap[right] < heap[left] ? right : left
        } else {
          guard child < heap.count else { break }
          for other in child..<heap.count where heap[other] < heap[smallest] { smallest = other }
        }
        guard heap[smallest] < key else { break }
        heap[hole] = heap[smallest]
        hole = smallest
      }
      heap[hole] = key
    }
  }

  @inlinable mutating func removeFirstKey() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    siftDown(from: 0)
  }

  /// Makes a heap of the keys that are not dead.
  @inlinable mutating func restoreHeap() {
    heap = ContiguousArray(heap.filter { isLive($0.token) })
    for start in (0..<(heap.count + 2) / 4).reversed() { siftDown(from: start) }
  }

  /// Restores the invariant, and rebuilds the heap if more than half of its keys are dead.
  @inlinable mutating func dropDeadKeys() {
    guard heap.count != liveCount else { return }
    if heap.count > 2 * liveCount + 64 { restoreHeap() }
    while let first = heap.first, !isLive(first.token) { removeFirstKey() }
  }
}
