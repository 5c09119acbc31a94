import Testing
import _EscapementCore

@Suite struct LockTests {
  @Test func `a lock keeps the changes of its state`() {
    let lock = Lock(1)
    lock.withLock { $0 += 1 }
    #expect(lock.withLock { $0 } == 2)
  }

  @Test func `a lock is released after an error`() {
    struct Failure: Error {}
    let lock = Lock(0)
    #expect(throws: Failure.self) {
      try lock.withLock { state throws(Failure) in
        state = 1
        throw Failure()
      }
    }
    #expect(lock.withLock { $0 } == 1)
  }

  @Test func `only one task at a time accesses the state`() async {
    final class Counter: Sendable { let lock = Lock(0) }
    let counter = Counter()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<10_000 { counter.lock.withLock { $0 += 1 } }
        }
      }
    }
    #expect(counter.lock.withLock { $0 } == 80_000)
  }

  @Test func `a lock releases its state`() {
    final class Object: Sendable {}
    weak var object: Object?
    do {
      let strong = Object()
      object = strong
      let lock = Lock(strong)
      #expect(lock.withLock { $0 } === strong)
    }
    #expect(object == nil)
  }
}
