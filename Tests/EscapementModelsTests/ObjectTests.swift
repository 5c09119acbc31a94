import EscapementModels
import TestSupport
import Testing

/// Concurrent objects as programs have them, right and with a planted bug.
@Suite(.virtualStandardClocks) struct ObjectTests {
  @Test func `a counter that reads and writes in two steps`() async throws {
    struct Counter: Model {
      var count = 0
      mutating func answer(to step: Int) -> Int {
        count += step
        return count
      }
    }
    try await expectToFind(Counter(), atMost: 2) {
      .random(in: 1...3, using: &$0)
    } _: { isRight in
      let cell = Cell(0)
      return { step in
        if isRight {
          return await cell.change {
            $0 += step
            return $0
          }
        }
        let new = await cell.value + step
        await cell.set(new)
        return new
      }
    }
  }

  @Test func `a register with a cache that is not told of all changes`() async throws {
    try await expectToFind(Register(), atMost: 5, calls: Register.randomCall) { isRight in
      let (store, cache) = (Cell(0), Cell<Int?>(nil))
      return { call in
        switch call {
        case .set(let value):
          await store.set(value)
          if !isRight { await cache.set(nil) }
          return value
        case .get:
          if isRight { return await store.value }
          if let known = await cache.value { return known }
          let value = await store.value
          await cache.set(value)
          return value
        }
      }
    }
  }

  /// A queue of numbers.
  struct Queue: Model {
    enum Call { case add(Int), take }
    var numbers: [Int] = []

    mutating func answer(to call: Call) -> Int? {
      switch call {
      case .add(let number):
        numbers.append(number)
        return nil
      case .take: return numbers.isEmpty ? nil : numbers.removeFirst()
      }
    }
  }

  @Test func `a queue whose first number is looked at before it is taken`() async throws {
    try await expectToFind(Queue(), atMost: 4) { random in
      Bool.random(using: &random) ? .add(.random(in: 1...9, using: &random)) : .take
    } _: { isRight in
      let cell = Cell(Queue())
      return { call in
        if !isRight, case .take = call {
          guard let first = await cell.value.numbers.first else { return nil }
          await cell.change { queue in
            if !queue.numbers.isEmpty { queue.numbers.removeFirst() }
          }
          return first
        }
        return await cell.change { $0.answer(to: call) }
      }
    }
  }

  /// A lock that is tried.
  struct TryLock: Model {
    enum Call { case lock, unlock }
    var isLocked = false

    mutating func answer(to call: Call) -> Bool {
      defer { isLocked = call == .lock }
      return isLocked != (call == .lock)
    }
  }

  @Test func `a lock that two may have`() async throws {
    try await expectToFind(TryLock(), atMost: 4) { random in
      Bool.random(using: &random) ? .unlock : .lock
    } _: { isRight in
      let cell = Cell(TryLock())
      return { call in
        if !isRight, case .lock = call {
          if await cell.value.isLocked { return false }
          await cell.change { $0.isLocked = true }
          return true
        }
        return await cell.change { $0.answer(to: call) }
      }
    }
  }

  @Test func `a set that says twice that it was the first`() async throws {
    struct Members: Model {
      var members: Set<Int> = []
      mutating func answer(to new: Int) -> Bool { members.insert(new).inserted }
      func key(of new: Int) -> AnyHashable? { new }
    }
    try await expectToFind(Members(), atMost: 2) {
      .random(in: 0...2, using: &$0)
    } _: { isRight in
      let cell = Cell(Members())
      return { new in
        if isRight { return await cell.change { $0.answer(to: new) } }
        let isNew = await !cell.value.members.contains(new)
        await cell.change { _ = $0.members.insert(new) }
        return isNew
      }
    }
  }

  @Test func `an account that is overdrawn after a look`() async throws {
    struct Account: Model {
      var balance = 10
      mutating func answer(to amount: Int) -> Bool {
        guard balance + amount >= 0 else { return false }
        balance += amount
        return true
      }
    }
    try await expectToFind(Account(), atMost: 2) {
      .random(in: (-10)...5, using: &$0)
    } _: { isRight in
      let cell = Cell(Account())
      return { amount in
        if isRight { return await cell.change { $0.answer(to: amount) } }
        guard await cell.value.balance + amount >= 0 else { return false }
        // The ledger is written to.
        try await Task.sleep(for: .milliseconds(5))
        await cell.change { $0.balance += amount }
        return true
      }
    }
  }

  @Test func `a lease that ends while its owner works, with calls that time out`() async throws {
    try await expectToFind(Register(), atMost: 4, calls: Register.randomCall) { isRight in
      let cell = Cell(Register())
      return { call in
        // A slow write has no answer, and may come later.
        if case .set(3) = call {
          Task {
            try await Task.sleep(for: .seconds(1))
            await cell.change { _ = $0.answer(to: call) }
          }
          if isRight { throw CancellationError() }
          return 3
        }
        return await cell.change { $0.answer(to: call) }
      }
    }
  }
}
