import Testing
import _EscapementCore

@testable import EscapementVirtualTime

struct PoolDelayTests {
  private let second: Nanoseconds = 1_000_000_000

  @Test func `the delay is that of the last block, or of one that has waited for longer`() {
    var pool = PoolDelay()
    #expect(pool.delay(at: 5) == 0)
    _ = pool.send(at: 10)
    #expect(pool.delay(at: 14) == 4)
    pool.arrive(at: 18)
    #expect(pool.delay(at: 100) == 8)
    _ = pool.send(at: 100)
    #expect(pool.delay(at: 108) == 8)
    #expect(pool.delay(at: 109) == 9)
    pool.arrive(at: 101)
    #expect(pool.delay(at: 200) == 1)
  }

  @Test func `one block at a time is in the queue`() {
    var pool = PoolDelay()
    var isSent = [pool.send(at: 0), pool.send(at: 1)]
    pool.arrive(at: 2)
    isSent.append(pool.send(at: 2))
    #expect(isSent == [true, false, true])
  }

  @Test func `a queue that has not moved on for ten minutes is taken for blocked`() {
    var pool = PoolDelay()
    _ = pool.send(at: 0)
    #expect(pool.delay(at: PoolDelay.longest - 1) == PoolDelay.longest - 1)
    #expect(pool.delay(at: PoolDelay.longest) == 0)
    pool.arrive(at: PoolDelay.longest + 1)
    #expect(pool.delay(at: PoolDelay.longest + 1) == PoolDelay.longest + 1)
  }

  @Test func `a wait counts in full while the queue is quick, and less the slower it is`() {
    let quick = second / 32
    #expect(PoolDelay.weight(of: second / 2, with: 0) == 1)
    #expect(PoolDelay.weight(of: second / 2, with: quick) == 1)
    #expect(PoolDelay.weight(of: second / 2, with: quick + 1) < 1)
    #expect(PoolDelay.weight(of: second / 2, with: 4 * quick) == 0.25)
    #expect(PoolDelay.weight(of: 1_000 * second, with: 50_000_000) == 1)
    #expect(PoolDelay.weight(of: 1_000 * second, with: 100_000_000) == 0.5)
  }
}
