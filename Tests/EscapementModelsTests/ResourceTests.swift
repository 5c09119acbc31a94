import EscapementModels
import TestSupport
import Testing

/// Resources that clients share, right and with a planted bug.
@Suite(.virtualStandardClocks) struct ResourceTests {
  @Test func `a sequence that takes its next block of numbers twice`() async throws {
    struct Sequence: Model {
      var last = 0
      mutating func answer(to count: Int) -> Int {
        defer { last += count }
        return last
      }
    }
    try await expectToFind(Sequence(), atMost: 2) {
      .random(in: 1...3, using: &$0)
    } _: { isRight in
      let cell = Cell(Sequence())
      return { count in
        if isRight { return await cell.change { $0.answer(to: count) } }
        let first = await cell.value.last
        await cell.set(Sequence(last: first + count))
        return first
      }
    }
  }

  /// A token that a client replaces by the next one, once.
  struct Tokens: Model {
    enum Call { case refresh(Int), current }
    var current = 0

    mutating func answer(to call: Call) -> Int? {
      switch call {
      case .current: return current
      case .refresh(let old):
        guard old == current else { return nil }
        current += 1
        return current
      }
    }
  }

  @Test func `a token that two clients replace at the same time`() async throws {
    try await expectToFind(Tokens(), atMost: 3) { random in
      Bool.random(using: &random) ? .refresh(.random(in: 0...2, using: &random)) : .current
    } _: { isRight in
      let cell = Cell(Tokens())
      return { call in
        if !isRight, case .refresh(let old) = call {
          guard await cell.value.current == old else { return nil }
          // The server is asked for the next one.
          try await Task.sleep(for: .milliseconds(20))
          await cell.set(Tokens(current: old + 1))
          return old + 1
        }
        return await cell.change { $0.answer(to: call) }
      }
    }
  }

  /// Connections that are lent, any that is free.
  struct Pool: Model {
    enum Call { case take, giveBack(Int) }
    var free: Set<Int> = [0, 1]

    mutating func answer(to call: Call) -> Int? {
      switch call {
      case .take:
        let first = free.min()
        if let first { free.remove(first) }
        return first
      case .giveBack(let connection):
        free.insert(connection)
        return nil
      }
    }

    mutating func allows(_ answer: Int?, to call: Call) -> Bool {
      guard case .take = call, let connection = answer else {
        return self.answer(to: call) == answer
      }
      return free.remove(connection) != nil
    }
  }

  @Test func `a pool that lends a connection twice`() async throws {
    try await expectToFind(Pool(), atMost: 4) { random in
      Bool.random(using: &random) ? .giveBack(.random(in: 0...1, using: &random)) : .take
    } _: { isRight in
      let cell = Cell(Pool())
      return { call in
        switch call {
        case .giveBack: return await cell.change { $0.answer(to: call) }
        case .take:
          if isRight {
            return await cell.change { pool in
              let last = pool.free.max()
              if let last { pool.free.remove(last) }
              return last
            }
          }
          guard let last = await cell.value.free.max() else { return nil }
          await cell.change { _ = $0.free.remove(last) }
          return last
        }
      }
    }
  }

  /// A permit for one call, until the next one comes.
  struct Permits: Model {
    enum Call { case acquire, refill }
    var left = 1

    mutating func answer(to call: Call) -> Bool {
      switch call {
      case .refill:
        left = 1
        return true
      case .acquire:
        guard left > 0 else { return false }
        left -= 1
        return true
      }
    }
  }

  @Test func `a limiter that takes a permit after it has said so`() async throws {
    try await expectToFind(Permits(), atMost: 4) { random in
      Bool.random(using: &random) ? .refill : .acquire
    } _: { isRight in
      let cell = Cell(Permits())
      return { call in
        if !isRight, case .acquire = call {
          let isLeft = await cell.value.left > 0
          if isLeft { await cell.change { $0.left -= 1 } }
          return isLeft
        }
        return await cell.change { $0.answer(to: call) }
      }
    }
  }

  /// The leadership, which one client has at a time.
  struct Leadership: Model {
    enum Call { case acquire(by: Int), release(by: Int) }
    var owner: Int?

    mutating func answer(to call: Call) -> Bool {
      switch call {
      case .acquire(let client):
        guard owner == nil || owner == client else { return false }
        owner = client
        return true
      case .release(let client):
        guard owner == client else { return false }
        owner = nil
        return true
      }
    }
  }

  @Test func `a lease that is given back by a client that has lost it`() async throws {
    try await expectToFind(Leadership(), atMost: 4) { random in
      let client = Int.random(in: 0...1, using: &random)
      return Bool.random(using: &random) ? .release(by: client) : .acquire(by: client)
    } _: { isRight in
      let cell = Cell(Leadership())
      return { call in
        if !isRight, case .release(let client) = call {
          guard await cell.value.owner == client else { return false }
          await cell.change { $0.owner = nil }
          return true
        }
        return await cell.change { $0.answer(to: call) }
      }
    }
  }

  /// Values that are forgotten when a minute has passed.
  struct Cache: Model {
    enum Call { case set(Int), get, waitForMinute }
    var value: Int?

    mutating func answer(to call: Call) -> Int? {
      switch call {
      case .set(let new):
        value = new
        return new
      case .get: return value
      case .waitForMinute:
        value = nil
        return nil
      }
    }
  }

  @Test func `a cache that forgets a value that has been set anew`() async throws {
    try await expectToFind(Cache(), atMost: 7) { random in
      [.get, .set(.random(in: 1...2, using: &random)), .waitForMinute]
        .randomElement(using: &random)!
    } _: { isRight in
      let cell = Cell(Cache())
      return { call in
        if !isRight, case .waitForMinute = call {
          let old = await cell.value.value
          guard old != nil else { return nil }
          await cell.change { $0.value = nil }
          // The old value is removed from the disk, too.
          await Task.yield()
          await cell.change { $0.value = nil }
          return nil
        }
        return await cell.change { $0.answer(to: call) }
      }
    }
  }
}
