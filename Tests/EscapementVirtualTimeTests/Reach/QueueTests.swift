import Dispatch
import EscapementVirtualTime
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.virtualStandardClocks) struct QueueTests {
  @Test func `a block that is submitted for later runs at its instant on both clocks`() async throws
  {
    let log = try await sameLog { log in
      let ticker = Task { while true { try await Task.sleep(for: .seconds(600)) } }
      await withCheckedContinuation { done in
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + 7200) {
          log.mark("wall")
          done.resume()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 3600) { log.mark("deadline") }
      }
      ticker.cancel()
    }
    #expect(log == ["deadline@3600000", "wall@7200000"])
  }

  @Test func `time stands while blocks have not run`() async throws {
    let log = try await sameLog { log in
      let sleeper = Task {
        try? await Task.sleep(for: .milliseconds(1))
        log.mark("sleeper")
      }
      let queue = DispatchQueue(label: "serial")
      await withCheckedContinuation { done in
        queue.async {
          keepBusy(2_000)
          queue.async {
            log.mark("block")
            done.resume()
          }
        }
      }
      await sleeper.value
    }
    #expect(log == ["block@0", "sleeper@1"])
  }

  @Test func `a block runs inside its queue and in its scope`() async throws {
    let key = DispatchSpecificKey<Int>()
    try await withVirtualTime(.reaching) { time in
      let target = DispatchQueue(label: "target")
      let queue = DispatchQueue(label: "queue", target: target)
      target.setSpecific(key: key, value: 7)
      let id = time.id
      await withCheckedContinuation { done in
        queue.async {
          dispatchPrecondition(condition: .onQueue(queue))
          dispatchPrecondition(condition: .onQueue(target))
          dispatchPrecondition(condition: .notOnQueue(.main))
          #expect(DispatchQueue.getSpecific(key: key) == 7)
          #expect(VirtualTime.current?.id == id)
          #expect(Date().timeIntervalSince1970 == 946_684_800)
          done.resume()
        }
      }
    }
  }

  @Test func `a block of the main queue runs inside of it`() async throws {
    let log = try await sameLog { log in
      await withCheckedContinuation { done in
        DispatchQueue.main.async {
          dispatchPrecondition(condition: .onQueue(.main))
          log.mark("main")
          DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
            dispatchPrecondition(condition: .onQueue(.main))
            log.mark("main")
            done.resume()
          }
        }
      }
    }
    #expect(log == ["main@0", "main@1000"])
  }

  @Test func `a block waits for work on the main queue`() async throws {
    let log = try await sameLog { log in
      await withCheckedContinuation { done in
        DispatchQueue.global().async {
          log.mark("before")
          DispatchQueue.main.sync {
            dispatchPrecondition(condition: .onQueue(.main))
            log.mark("main")
          }
          log.mark("after")
          done.resume()
        }
      }
    }
    #expect(log == ["before@0", "main@0", "after@0"])
  }

  @Test func `blocks, tasks and what they start run in the same order in each round`() async throws
  {
    let log = try await sameLog { log in
      let queues = (0..<3).map { DispatchQueue(label: "\($0)") }
      let group = DispatchGroup()
      for i in 0..<20 {
        let queue = i % 2 == 0 ? DispatchQueue.global() : queues[i % 3]
        queue.async(group: group) {
          log.mark("a\(i)")
          queues[(i + 1) % 3].async(group: group) { log.mark("b\(i)") }
          group.enter()
          DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(i % 4)) {
            log.mark("c\(i)")
            Task {
              log.mark("d\(i)")
              group.leave()
            }
          }
        }
      }
      await withTaskGroup(of: Void.self) { tasks in
        for i in 0..<10 {
          tasks.addTask {
            log.mark("t\(i)")
            try? await Task.sleep(for: .milliseconds(i % 4))
            log.mark("u\(i)")
            await Task.yield()
            queues[i % 3].async(group: group) { log.mark("v\(i)") }
          }
        }
      }
      await withCheckedContinuation { done in group.notify(queue: .main) { done.resume() } }
    }
    #expect(log.count == 110)
    #expect(Set(log).count == 110)
  }

  @Test func `a queue keeps its blocks while one of them waits or it is suspended`() async throws {
    let log = try await sameLog { log in
      let suspended = DispatchQueue(label: "suspended")
      let target = DispatchQueue(label: "target")
      let a = DispatchQueue(label: "a", target: target)
      let b = DispatchQueue(label: "b", target: target)
      let wide = DispatchQueue(label: "wide", attributes: .concurrent)
      let go = DispatchSemaphore(value: 0)
      let all = DispatchGroup()
      suspended.suspend()
      suspended.async(group: all) { log.mark("resumed") }
      a.async(group: all) {
        log.mark("a waits")
        go.wait()
        log.mark("a goes")
      }
      b.async(group: all) { log.mark("b") }
      wide.async(group: all) {
        log.mark("w waits")
        go.wait()
        log.mark("w goes")
      }
      wide.async(group: all, flags: .barrier) { log.mark("barrier") }
      wide.async(group: all) { log.mark("w behind") }
      DispatchQueue.global().async(group: all) {
        a.sync { log.mark("sync in a") }
        log.mark("synced")
      }
      try await Task.sleep(for: .milliseconds(2))
      suspended.resume()
      try await Task.sleep(for: .milliseconds(2))
      go.signal()
      go.signal()
      await withCheckedContinuation { done in
        all.notify(queue: .global()) { done.resume() }
      }
    }
    #expect(log.prefix(3) == ["a waits@0", "w waits@0", "resumed@2"])
    #expect(log.firstIndex(of: "a goes@4")! < log.firstIndex(of: "b@4")!)
    #expect(log.firstIndex(of: "w goes@4")! < log.firstIndex(of: "barrier@4")!)
    #expect(log.firstIndex(of: "barrier@4")! < log.firstIndex(of: "w behind@4")!)
    #expect(log.firstIndex(of: "a goes@4")! < log.firstIndex(of: "sync in a@4")!)
    #expect(log.count == 10)
  }

  @Test func `work that is waited for comes behind what was submitted before, and before the rest`()
    async throws
  {
    let log = try await sameLog { log in
      let serial = DispatchQueue(label: "serial")
      let wide = DispatchQueue(label: "wide", attributes: .concurrent)
      serial.async { log.mark("1") }
      DispatchQueue.global().async { serial.async { log.mark("3") } }
      serial.sync { log.mark("2") }
      wide.async { log.mark("4") }
      wide.sync(flags: .barrier) { log.mark("5") }
      wide.async(flags: .barrier) { log.mark("6") }
      wide.sync { log.mark("7") }
      await withCheckedContinuation { done in serial.async { done.resume() } }
    }
    #expect(log == ["1@0", "2@0", "3@0", "4@0", "5@0", "6@0", "7@0"])
  }

  @Test func `a queue that is shared goes on when a scope ends whose blocks it keeps`() async throws
  {
    let queue = DispatchQueue(label: "shared")
    let log = Log<String>()
    for name in ["first", "second"] {
      try await withVirtualTime(.reaching) { _ in
        queue.suspend()
        queue.async { log.append(name + " behind the end") }
      }
      queue.resume()
      try await withVirtualTime(.reaching) { _ in
        await withCheckedContinuation { done in
          queue.async {
            log.append(name)
            done.resume()
          }
        }
      }
    }
    queue.sync {}
    #expect(
      log.entries == ["first behind the end", "first", "second behind the end", "second"])
  }

  @Test func `many blocks wait at the same time`() async throws {
    let log = try await sameLog(rounds: 2) { log in
      let never = DispatchSemaphore(value: 0)
      let all = DispatchGroup()
      for i in 0..<400 {
        DispatchQueue.global().async(group: all) {
          _ = never.wait(timeout: .now() + .milliseconds(1 + i % 2))
          log.mark("\(i % 2)")
        }
      }
      await withCheckedContinuation { done in
        all.notify(queue: .global()) { done.resume() }
      }
    }
    #expect(log.filter { $0 == "0@1" }.count == 200)
    #expect(log.filter { $0 == "1@2" }.count == 200)
  }

  @Test func `the iterations of a concurrent loop run in order`() async throws {
    let log = try await sameLog { log in
      await withCheckedContinuation { done in
        DispatchQueue.global().async {
          DispatchQueue.concurrentPerform(iterations: 4) { log.mark("\($0)") }
          done.resume()
        }
      }
    }
    #expect(log == ["0@0", "1@0", "2@0", "3@0"])
  }

  @Test func `users of a queue outside the scope are excluded`() async throws {
    let queue = DispatchQueue(label: "shared")
    let inside = Log<Int>()
    let outside = DispatchQueue(label: "outside")
    let stop = Flag()
    outside.async {
      while !stop.isSet {
        queue.sync {
          inside.append(+1)
          keepBusy()
          inside.append(-1)
        }
        usleep(20)  // lets others in
      }
    }
    _ = try await sameLog { log in
      for _ in 0..<5 {
        await withCheckedContinuation { done in
          queue.async {
            inside.append(+1)
            keepBusy()
            inside.append(-1)
            done.resume()
          }
        }
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    stop.set()
    outside.sync {}
    var depth = 0
    #expect(
      inside.entries.allSatisfy { change in
        depth += change
        return depth == 0 || depth == 1
      })
  }

  @Test func `scopes with queues of their own run at the same time`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { scopes in
      for number in 1...8 {
        scopes.addTask {
          try await withVirtualTime(.reaching) { time in
            let queue = DispatchQueue(label: "own")
            for i in 1...20 {
              await withCheckedContinuation { done in
                queue.asyncAfter(deadline: .now() + .seconds(number)) { done.resume() }
              }
              #expect(time.now.offset == .seconds(number * i))
            }
          }
        }
      }
      try await scopes.waitForAll()
    }
  }

  @Test func `queues are real where an option says so`() async throws {
    try await withVirtualTime(.init(queuesAndThreads: .real)) { time in
      let isInScope = await time.hold {
        await withCheckedContinuation { done in
          DispatchQueue.global().async { done.resume(returning: VirtualTime.current != nil) }
        }
      }
      #expect(!isInScope)
    }
  }

  @Test func `queues and sleeps of threads are real inside a hold`() async throws {
    try await withVirtualTime(.reaching) { time in
      let start = time.now
      let isInScope = await time.hold {
        await withCheckedContinuation { done in
          DispatchQueue.global().asyncAfter(deadline: .now()) {
            done.resume(returning: VirtualTime.current != nil)
          }
        }
      }
      #expect(!isInScope)
      await time.hold { _ = usleep(1) }
      #expect(time.now == start)
      await withCheckedContinuation { done in
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { done.resume() }
      }
      #expect(start.duration(to: time.now) == .seconds(1))
    }
  }

  // libdispatch ends the process when the last reference to a suspended object is given back.
  @Test(.takingTurns)
  func `a block that does not run may be the one that resumes a source or a queue`() async {
    await #expect(processExitsWith: .success) {
      for isInactive in [false, true] {
        try await withVirtualTime(.reaching) { _ in
          let source = DispatchSource.makeTimerSource()
          if !isInactive {
            source.activate()
            source.suspend()
            source.suspend()
          }
          nonisolated(unsafe) let kept = source
          let queues = [[], .concurrent].map { (attributes: DispatchQueue.Attributes) in
            DispatchQueue(
              label: "kept",
              attributes: isInactive ? attributes.union(.initiallyInactive) : attributes)
          }
          if !isInactive { for queue in queues { queue.suspend() } }
          DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
            kept.resume()
            for queue in queues { queue.activate() }
          }
        }
      }
    }
  }

  @Test func `blocks that are not due at the end do not run`() async throws {
    let log = Log<String>()
    try await withVirtualTime(.reaching) { _ in
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) { log.append("later") }
      DispatchQueue.global().async { log.append("now") }
    }
    #expect(log.entries == ["now"])
  }

  @Test func `blocks that a queue keeps at the end run outside when it lets them`() async throws {
    let queue = DispatchQueue(label: "suspended")
    let isInScope = Log<Bool>()
    try await withVirtualTime(.reaching) { _ in
      queue.suspend()
      queue.async { isInScope.append(VirtualTime.current != nil) }
    }
    #expect(isInScope.entries == [])
    queue.resume()
    queue.sync {}
    #expect(isInScope.entries == [false])
  }

  @Test(arguments: [false, true])
  func `a block that submits itself without end does not run after its scope`(bodyEnds: Bool)
    async throws
  {
    let queue = DispatchQueue(label: "again")
    let count = Atomic(0)
    @Sendable func again() {
      count.add(1, ordering: .relaxed)
      queue.async { again() }
    }
    _ = await issues {
      try? await withVirtualTime(.hanging(queuesAndThreads: .virtual)) { _ in
        again()
        if !bodyEnds { await neverResumed() }
      }
    }
    queue.sync {}
    let afterScope = count.load(ordering: .relaxed)
    for _ in 0..<10 { queue.sync {} }
    #expect(count.load(ordering: .relaxed) == afterScope)
  }

  @Test func `time stands while a block of another scope waits in the same queue`() async throws {
    let queue = DispatchQueue(label: "shared")
    let (isInside, mayGo) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
    let patient = VirtualTimeOptions(queuesAndThreads: .virtual, stallLimit: .seconds(600))
    async let other: Void = withVirtualTime(patient) { _ in
      await withCheckedContinuation { done in
        queue.async {
          isInside.continuation.finish()
          // Only a thread outside can end the wait.
          mayGo.wait()
          done.resume()
        }
      }
    }
    for await _ in isInside.stream {}
    try await withVirtualTime(.reaching) { time in
      let ticker = Task { while true { try await Task.sleep(for: .seconds(1)) } }
      let begun = Task {
        for _ in 0..<3 { await Task.yield() }
        mayGo.signal()
      }
      await withCheckedContinuation { done in queue.async { done.resume() } }
      #expect(time.now.offset == .zero)
      await begun.value
      ticker.cancel()
    }
    try await other
  }
}
