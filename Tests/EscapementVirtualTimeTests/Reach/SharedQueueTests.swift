#if os(Linux)
  import CVirtualTime
  import Dispatch
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  /// Queues that several scopes use at the same time.
  @Suite(.virtualStandardClocks) struct SharedQueueTests {
    @Test(arguments: [2, 7])
    func `scopes that wait for each other's queues go on`(count: Int) async throws {
      for _ in 0..<20 {
        let queues = (0..<count).map { DispatchQueue(label: "\($0)") }
        let inside = Log<Int>()
        try await withThrowingTaskGroup { scopes in
          for index in 0..<count {
            scopes.addTask {
              try await withVirtualTime(.reaching) { time in
                let (done, goOn) = (DispatchGroup(), DispatchSemaphore(value: 0))
                queues[index].async(group: done) {
                  goOn.wait()
                  usleep(1_000)
                }
                // The block waits inside its queue when time has moved.
                try await Task.sleep(for: .milliseconds(1))
                inside.append(index)
                await time.hold { await inside.wait(for: count) }
                queues[(index + 1) % count].async(group: done) {}
                goOn.signal()
                await withCheckedContinuation { continuation in
                  done.notify(queue: .global()) { continuation.resume() }
                }
                #expect(time.now.offset == .milliseconds(2))
              }
            }
          }
          try await scopes.waitForAll()
        }
      }
    }

    @Test func `time stands while another scope is inside the queue that has entered it first`()
      async throws
    {
      let queue = DispatchQueue(label: "shared")
      let (isInside, isBehind, otherIsInside) = (Log<Void>(), Log<Void>(), Log<Void>())
      let otherMayLeave = DispatchSemaphore(value: 0)

      async let other: Void = withVirtualTime { time in
        await time.hold { await isInside.wait(for: 1) }
        // Runs after the body has come to the queue, and before it is let in.
        Task { isBehind.append(()) }
        block(queue) {
          otherIsInside.append(())
          otherMayLeave.wait()
        }
      }

      try await withVirtualTime { time in
        let (done, goOn) = (DispatchGroup(), DispatchSemaphore(value: 0))
        queue.async(group: done) {
          isInside.append(())
          goOn.wait()
        }
        await time.hold { await isBehind.wait(for: 1) }
        try await Task.sleep(for: .milliseconds(1))
        goOn.signal()
        await done.end()
        #expect(time.now.offset == .milliseconds(1))

        await time.hold { await otherIsInside.wait(for: 1) }
        let entered = Log<Duration>()
        queue.async(group: done) { entered.append(time.now.offset) }
        afterAWhile { otherMayLeave.signal() }
        try await Task.sleep(for: .seconds(1))
        await done.end()
        #expect(entered.entries == [.milliseconds(1)])
      }
      try await other
    }

    @Test func `a barrier of another scope does not come between blocks of a concurrent queue`()
      async throws
    {
      for _ in 0..<10 {
        let queue = DispatchQueue(label: "shared", attributes: .concurrent)
        let (isInside, isBehind) = (Log<Void>(), Log<Void>())
        async let other: Void = withVirtualTime { time in
          let done = DispatchGroup()
          await time.hold { await isInside.wait(for: 1) }
          queue.async(group: done, flags: .barrier) {}
          await Task.yield()
          isBehind.append(())
          await done.end()
          #expect(time.now.offset == .zero)
        }
        try await withVirtualTime { time in
          let done = DispatchGroup()
          queue.async(group: done) {
            isInside.append(())
            usleep(5_000)
          }
          await time.hold { await isBehind.wait(for: 1) }
          for _ in 0..<3 { queue.async(group: done) { usleep(5_000) } }
          await done.end()
          #expect(time.now.offset == .milliseconds(5))
        }
        try await other
      }
    }

    @Test func `another scope that uses the same queue changes no order`() async throws {
      let queue = DispatchQueue(label: "shared")
      let log = try await sameLog(beside: { queue.async { keepBusy() } }) { log in
        for i in 0..<10 {
          queue.async { log.append("block \(i)") }
          Task { log.append("task \(i)") }
        }
      }
      #expect(log.count == 20)
    }

    /// Nobody knows who has a semaphore, or a lock that is made of a condition.
    @Test(
      arguments: [
        .mutex, .recursiveMutex, .checkedMutex, .timedMutex, .nsLock, .nsRecursiveLock,
        .nsCondition,
        .synchronizationMutex, .serialQueue, .barrier,
      ] as [KindOfLock])
    func `another scope that uses the same lock changes no order`(kind: KindOfLock) async throws {
      let hold = kind.make()
      let log = try await sameLog(beside: { hold { keepBusy() } }) { log in
        for i in 0..<10 {
          Task { log.append("task \(i)") }
          Task {
            hold { log.append("inside \(i)") }
            log.append("end \(i)")
          }
        }
      }
      #expect(log.count == 30)
    }

    @Test func `time goes on for a block that another scope does not keep out any more`()
      async throws
    {
      let wide = DispatchQueue(label: "wide", attributes: .concurrent)
      let narrow = DispatchQueue(label: "narrow", target: wide)
      let (otherHasBegun, bodyHasBegun, bodyHasSlept) = (Log<Void>(), Log<Void>(), Log<Void>())
      let (isInside, isKept) = (Log<Void>(), Log<Void>())

      async let other: Void = withVirtualTime { time in
        let (mayLeaveWide, mayLeaveNarrow) = (
          DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let done = DispatchGroup()
        otherHasBegun.append(())
        await time.hold { await bodyHasBegun.wait(for: 1) }
        for (queue, mayLeave) in [(wide, mayLeaveWide), (narrow, mayLeaveNarrow)] {
          queue.async(group: done) {
            isInside.append(())
            mayLeave.wait()
          }
        }
        await time.hold { await isKept.wait(for: 1) }
        mayLeaveNarrow.signal()
        await time.hold { await bodyHasSlept.wait(for: 1) }
        mayLeaveWide.signal()
        await done.end()
      }
      await otherHasBegun.wait(for: 1)

      try await withVirtualTime { time in
        defer { bodyHasSlept.append(()) }
        let done = DispatchGroup()
        bodyHasBegun.append(())
        await time.hold { await isInside.wait(for: 2) }
        narrow.async(group: done) {}
        await Task.yield()
        isKept.append(())
        await done.end()
        try await Task.sleep(for: .seconds(1))
        #expect(time.now.offset == .seconds(1))
      }
      try await other
    }

    @Test func `time stands again when the other scope does not wait any more`() async throws {
      let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
      let (otherHasBegun, isInside, isKept) = (Log<Void>(), Log<Void>(), Log<Void>())
      let mayLeave = DispatchSemaphore(value: 0)

      async let other: Void = withVirtualTime { time in
        let done = DispatchGroup()
        otherHasBegun.append(())
        await time.hold { await isInside.wait(for: 1) }
        second.async(group: done) { mayLeave.wait() }
        first.async(group: done) { afterAWhile { mayLeave.signal() } }
        await Task.yield()
        isKept.append(())
        await done.end()
      }
      await otherHasBegun.wait(for: 1)

      try await withVirtualTime { time in
        let done = DispatchGroup()
        let entered = Log<Duration>()
        first.async(group: done) {
          isInside.append(())
          usleep(1_000)
        }
        await time.hold { await isKept.wait(for: 1) }
        // The time of this scope moves now, since the other one waits for it: up to the end of the
        // block in the first queue.
        second.async(group: done) { entered.append(time.now.offset) }
        let timeout = Task { try await Task.sleep(for: .seconds(10)) }
        await done.end()
        timeout.cancel()
        #expect(entered.entries == [.milliseconds(1)])
      }
      try await other
    }

    @Test func `blocks of two scopes that are behind each other in two queues run`() async throws {
      let target = DispatchQueue(label: "target")
      let wide = DispatchQueue(label: "wide", attributes: .concurrent, target: target)
      let narrow = DispatchQueue(label: "narrow", target: target)
      let steps = Log<Int>()

      async let other: Void = withVirtualTime { time in
        let done = DispatchGroup()
        await time.hold { await steps.wait(for: 1) }
        wide.async(group: done) {}
        await Task.yield()
        steps.append(2)
        await time.hold { await steps.wait(for: 3) }
        narrow.async(group: done) {}
        // It is kept before the block of the body, since it can run beside the first one here.
        wide.async(group: done) {}
        await Task.yield()
        steps.append(4)
        await done.end()
      }

      try await withVirtualTime { time in
        let (done, mayLeave) = (DispatchGroup(), DispatchSemaphore(value: 0))
        target.async(group: done) { mayLeave.wait() }
        await Task.yield()
        steps.append(1)
        await time.hold { await steps.wait(for: 2) }
        wide.async(group: done) {}
        narrow.async(group: done) {}
        await Task.yield()
        steps.append(3)
        await time.hold { await steps.wait(for: 4) }
        mayLeave.signal()
        await done.end()
      }
      try await other
    }

    @Test func `thousands of blocks of two scopes wait in one queue`() async throws {
      let queue = DispatchQueue(label: "shared")
      let (otherHasBegun, isInside, isKept) = (Log<Void>(), Log<Void>(), Log<Void>())
      let numbers = [Log<Int>(), Log<Int>()]
      @Sendable func submit(to log: Log<Int>, _ done: DispatchGroup) {
        for number in 0..<2_000 { queue.async(group: done) { log.append(number) } }
      }

      async let other: Void = withVirtualTime { time in
        let done = DispatchGroup()
        otherHasBegun.append(())
        await time.hold { await isInside.wait(for: 1) }
        submit(to: numbers[0], done)
        await Task.yield()
        isKept.append(())
        await done.end()
      }
      await otherHasBegun.wait(for: 1)

      try await withVirtualTime { time in
        let (done, mayLeave) = (DispatchGroup(), DispatchSemaphore(value: 0))
        queue.async(group: done) {
          isInside.append(())
          mayLeave.wait()
        }
        submit(to: numbers[1], done)
        await time.hold { await isKept.wait(for: 1) }
        mayLeave.signal()
        await done.end()
      }
      try await other
      for log in numbers { #expect(log.entries == Array(0..<2_000)) }
    }

    // The thread that waits for the barrier loses the baton.
    @Test(.withoutThreadSanitizer)
    func `a block enters a concurrent queue after a barrier outside that waits`() async throws {
      let queue = DispatchQueue(label: "shared", attributes: .concurrent)
      let (isInside, isPending) = (Log<Void>(), Log<Void>())
      async let barrier: Void = {
        await isInside.wait(for: 1)
        queue.async(flags: .barrier) {}
        isPending.append(())
      }()
      try await withVirtualTime { time in
        let done = DispatchGroup()
        queue.async(group: done) {
          isInside.append(())
          usleep(5_000)
        }
        await time.hold { await isPending.wait(for: 1) }
        queue.async(group: done) { usleep(5_000) }
        await done.end()
        #expect(time.now.offset == .milliseconds(10))
      }
      await barrier
    }
  }

  /// The log of many rounds, while scopes that run beside them do something again and again.
  private func sameLog(
    beside work: @escaping @Sendable () -> Void,
    while scenario: @escaping @Sendable (Log<String>) async throws -> Void
  ) async throws -> [String] {
    let isOver = Flag()
    async let others: Void = {
      while !isOver.isSet {
        try await withVirtualTime { _ in
          for _ in 0..<100 {
            work()
            try await Task.sleep(for: .seconds(1))
          }
        }
      }
    }()
    defer { isOver.set() }
    let log = try await sameLog(rounds: rounds(200)) { log in
      try await scenario(log)
      try await Task.sleep(for: .seconds(1))
    }
    isOver.set()
    try await others
    return log
  }

  /// Does something outside of scopes, when threads have had time to come to where they wait.
  private func afterAWhile(_ work: @escaping @Sendable () -> Void) {
    cvt_thread_exempt(+1)
    defer { cvt_thread_exempt(-1) }
    Thread.detachNewThread {
      usleep(50_000)
      work()
    }
  }

  private func block(_ queue: DispatchQueue, with work: () -> Void) { queue.sync(execute: work) }

  extension DispatchGroup {
    fileprivate func end() async {
      await withCheckedContinuation { continuation in
        notify(queue: .global()) { continuation.resume() }
      }
    }
  }
#endif
