import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

@Suite(.virtualStandardClocks) struct ThreadTests {
  @Test func `a thread reads and takes the time of the scope that has created it`() async throws {
    let log = try await sameLog { log in
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          log.mark("begins")
          usleep(5_000)
          log.mark("has slept")
          done.resume()
        }
        log.mark("creator")
      }
    }
    #expect(log == ["creator@0", "begins@0", "has slept@5"])
  }

  @Test func `tasks, blocks and threads take turns in the order of what is ready`() async throws {
    let log = try await sameLog { log in
      let all = DispatchGroup()
      for i in 0..<3 {
        all.enter()
        Thread.detachNewThread {
          for step in 0..<3 {
            log.mark("thread \(i).\(step)")
            usleep(1_000)
          }
          all.leave()
        }
        DispatchQueue.global().async(group: all) {
          log.mark("block \(i)")
          usleep(1_500)
          log.mark("block \(i)")
        }
      }
      let task = Task {
        for step in 0..<3 {
          log.mark("task \(step)")
          try? await Task.sleep(for: .milliseconds(1))
        }
      }
      await withCheckedContinuation { done in all.notify(queue: .global()) { done.resume() } }
      await task.value
    }
    #expect(log.count == 18)
    #expect(log.first == "thread 0.0@0")
  }

  // In a process of its own, which has 2,500 threads at once.
  @Test(.takingTurns, .withoutThreadSanitizer)
  func `a task or a thread may start thousands of threads that end`() async throws {
    await #expect(processExitsWith: .success) {
      let issues = await issues {
        try? await withVirtualTime(.reaching) { _ in
          let ends = Log<Int>()
          @Sendable func start(_ numbers: Range<Int>) {
            for i in numbers { Thread.detachNewThread { ends.append(i) } }
          }
          start(0..<2_500)
          await ends.wait(for: 2_500)
          Thread.detachNewThread { start(2_500..<5_000) }
          await ends.wait(for: 5_000)
          precondition(ends.entries == Array(0..<5_000))
        }
      }
      precondition(issues.isEmpty, "\(issues)")
    }
  }

  @Test func `what a thread creates belongs to the scope`() async throws {
    let log = try await sameLog { log in
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          Task {
            try? await Task.sleep(for: .milliseconds(1))
            log.mark("task")
          }
          DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) {
            log.mark("block")
          }
          Thread.detachNewThread {
            usleep(3_000)
            log.mark("thread")
            done.resume()
          }
        }
      }
    }
    #expect(log == ["task@1", "block@2", "thread@3"])
  }

  #if os(Linux)
    @Test func `a thread is joined in virtual time`() async throws {
      let log = try await sameLog { log in
        var thread = pthread_t()
        let context = Unmanaged.passRetained(log).toOpaque()
        let code = pthread_create(
          &thread, nil,
          { context in
            usleep(7_000)
            Unmanaged<Log<String>>.fromOpaque(context!).takeRetainedValue().mark("thread")
            return nil
          }, context)
        #expect(code == 0)
        pthread_join(thread, nil)
        log.mark("joined")
      }
      #expect(log == ["thread@7", "joined@7"])
    }

    @Test func `time stands until a thread that is joined is gone`() async throws {
      let log = try await sameLog { log in
        let timeout = Task { try? await Task.sleep(for: .seconds(1)) }
        await Task.yield()
        // It goes slowly, as threads do beside busy processes.
        var key = pthread_key_t()
        pthread_key_create(&key) { _ in usleep(5_000) }
        var thread = pthread_t()
        pthread_create(
          &thread, nil,
          { context in
            pthread_setspecific(pthread_key_t(UInt(bitPattern: context)), context)
            return nil
          }, UnsafeMutableRawPointer(bitPattern: UInt(key)))
        pthread_join(thread, nil)
        log.mark("joined")
        pthread_key_delete(key)
        timeout.cancel()
      }
      #expect(log == ["joined@0"])
    }
  #endif

  @Test func `a lock that is held during a sleep is taken in the order of arrival`() async throws {
    let log = try await sameLog { log in
      let lock = NSLock()
      let all = DispatchGroup()
      for i in 0..<3 {
        all.enter()
        Thread.detachNewThread {
          lock.lock()
          log.mark("\(i) has it")
          usleep(10_000)
          lock.unlock()
          all.leave()
        }
      }
      await withCheckedContinuation { done in all.notify(queue: .global()) { done.resume() } }
    }
    #expect(log == ["0 has it@0", "1 has it@10", "2 has it@20"])
  }

  @Test func `a lock is waited for whose owner has been woken, and has not had its turn`()
    async throws
  {
    let log = try await sameLog { log in
      let (lock, gate) = (NSLock(), DispatchSemaphore(value: 0))
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          lock.lock()
          gate.wait()
          log.mark("owner")
          lock.unlock()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
          gate.signal()
          lock.lock()
          log.mark("block")
          lock.unlock()
          done.resume()
        }
      }
    }
    #expect(log == ["owner@1", "block@1"])
  }

  @Test func `a condition is signalled at its virtual time`() async throws {
    let log = try await sameLog { log in
      let queue = Channel()
      Thread.detachNewThread {
        for value in 1...3 {
          usleep(4_000)
          queue.send(value)
        }
      }
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          for _ in 1...3 { log.mark("\(queue.receive())") }
          done.resume()
        }
      }
    }
    #expect(log == ["1@4", "2@8", "3@12"])
  }

  @Test func `a broadcast wakes all who wait, in the order of their arrival`() async throws {
    let log = try await sameLog { log in
      let (condition, all) = (NSCondition(), DispatchGroup())
      for i in 0..<4 {
        all.enter()
        Thread.detachNewThread {
          condition.lock()
          condition.wait()
          log.mark("\(i)")
          condition.unlock()
          all.leave()
        }
      }
      try await Task.sleep(for: .milliseconds(2))
      condition.broadcast()
      await withCheckedContinuation { done in all.notify(queue: .global()) { done.resume() } }
    }
    #expect(log == ["0@2", "1@2", "2@2", "3@2"])
  }

  @Test func `a wait for a condition times out at its deadline`() async throws {
    let log = try await sameLog { log in
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          let condition = NSCondition()
          condition.lock()
          let isSignalled = condition.wait(until: Date() + 0.5)
          log.mark(isSignalled ? "signalled" : "timed out")
          condition.unlock()
          done.resume()
        }
      }
    }
    #expect(log == ["timed out@500"])
  }

  @Test func `a thread that outlives its scope goes on in real time`() async throws {
    for _ in 0..<20 {
      let ended = DispatchSemaphore(value: 0)
      let scope = Log<Bool>()
      try await withVirtualTime(.reaching) { _ in
        Thread.detachNewThread {
          usleep(2_000_000)
          scope.append(VirtualTime.current == nil)
          ended.signal()
        }
        try await Task.sleep(for: .seconds(1))
      }
      waitBlocking(for: ended)
      #expect(scope.entries == [true])
    }
  }

  @Test func `scopes with threads run beside each other`() async throws {
    try await withThrowingTaskGroup { group in
      for i in 1...8 {
        group.addTask {
          try await withVirtualTime(.reaching) { time in
            await withCheckedContinuation { done in
              Thread.detachNewThread {
                for _ in 0..<10 { usleep(useconds_t(i * 1_000)) }
                done.resume()
              }
            }
            return time.now.offset == .milliseconds(10 * i)
          }
        }
      }
      for try await isExact in group { #expect(isExact) }
    }
  }
}

/// Hands values from one thread to another.
private final class Channel: @unchecked Sendable {
  // Sendable because the values are only touched with the condition's lock.
  private let condition = NSCondition()
  private var values: [Int] = []

  func send(_ value: Int) {
    condition.lock()
    values.append(value)
    condition.signal()
    condition.unlock()
  }

  func receive() -> Int {
    condition.lock()
    defer { condition.unlock() }
    while values.isEmpty { condition.wait() }
    return values.removeFirst()
  }
}

private func waitBlocking(for semaphore: DispatchSemaphore) { semaphore.wait() }
