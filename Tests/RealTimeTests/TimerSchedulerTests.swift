import EscapementFoundation
import Foundation
import Synchronization
import Testing
import _EscapementCore

/// What real run loops do with timers that are added through the seam.
@Suite struct RunLoopTimerSchedulerTests {
  /// Runs a run loop of its own, on a thread of its own, for 50 ms, and if need be until it is done.
  private func onRunLoop(
    until isDone: @escaping @Sendable () -> Bool = { true },
    _ body: @escaping @Sendable (any TimerScheduler) -> Void
  ) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        body(RunLoop.current)
        // A run loop without timers returns at once.
        repeat { RunLoop.current.run(until: Date() + 0.05) } while !isDone()
        continuation.resume()
      }
    }
  }

  @Test func `a timer that is added fires once, at its date`() async {
    let fired = Lock<[Date]>([])
    let start = Date()
    await onRunLoop(until: { !fired.withLock(\.isEmpty) }) { scheduler in
      scheduler.add(
        Timer(after: 0.01) { _ in fired.withLock { $0.append(Date()) } }, forMode: .default)
    }
    let dates = fired.withLock { $0 }
    #expect(dates.count == 1)
    #expect(dates.allSatisfy { $0.timeIntervalSince(start) >= 0.01 })
  }

  @Test func `a repeating timer fires until it is invalidated`() async {
    let count = Lock(0)
    await onRunLoop(until: { count.withLock { $0 } >= 3 }) { scheduler in
      let timer = Timer(after: 0.001, repeats: true) { timer in
        let isLast = count.withLock { count in
          count += 1
          return count == 3
        }
        if isLast { timer.invalidate() }
      }
      scheduler.add(timer, forMode: .default)
    }
    #expect(count.withLock { $0 } == 3)
  }

  @Test func `a timer that was invalidated does not fire`() async {
    let count = Atomic(0)
    await onRunLoop { scheduler in
      let timer = Timer(after: 0.01) { _ in count.add(1, ordering: .relaxed) }
      scheduler.add(timer, forMode: .default)
      timer.invalidate()
    }
    #expect(count.load(ordering: .relaxed) == 0)
  }
}
