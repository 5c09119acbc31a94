import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

@Suite(.virtualStandardClocks) struct SemaphoreAndGroupTests {
  @Test func `a wait times out at its deadline and not a nanosecond before`() async throws {
    let log = try await sameLog { log in
      let semaphore = DispatchSemaphore(value: 0)
      await withCheckedContinuation { done in
        DispatchQueue.global().async {
          let late = semaphore.wait(timeout: .now() + .nanoseconds(5_000_000))
          log.mark(late == .timedOut ? "timed out" : "signalled")
          let early = semaphore.wait(timeout: .now() + .nanoseconds(5_000_001))
          log.mark(early == .timedOut ? "timed out" : "signalled")
          done.resume()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(10_000_000)) {
          semaphore.signal()
        }
      }
    }
    #expect(log == ["timed out@5", "signalled@10"])
  }

  @Test func `those who wait go on in the order of their arrival`() async throws {
    let log = try await sameLog { log in
      let semaphore = DispatchSemaphore(value: 0)
      let all = DispatchGroup()
      for i in 0..<5 {
        DispatchQueue.global().async(group: all) {
          semaphore.wait()
          log.mark("\(i)")
        }
      }
      for _ in 0..<5 {
        try await Task.sleep(for: .milliseconds(1))
        semaphore.signal()
      }
      await withCheckedContinuation { done in all.notify(queue: .global()) { done.resume() } }
    }
    #expect(log == ["0@1", "1@2", "2@3", "3@4", "4@5"])
  }

  @Test func `producers and consumers run in the same order in each round`() async throws {
    let log = try await sameLog { log in
      let full = DispatchSemaphore(value: 0)
      let empty = DispatchSemaphore(value: 2)
      let all = DispatchGroup()
      let serial = DispatchQueue(label: "serial")
      for p in 0..<3 {
        DispatchQueue.global().async(group: all) {
          for i in 0..<5 {
            empty.wait()
            log.mark("p\(p).\(i)")
            full.signal()
          }
        }
        DispatchQueue.global().async(group: all) {
          for i in 0..<5 {
            full.wait()
            log.mark("c\(p).\(i)")
            empty.signal()
            serial.async { log.mark("s\(p).\(i)") }
          }
        }
      }
      let ticker = Task {
        for i in 0..<5 {
          log.mark("t\(i)")
          try? await Task.sleep(for: .microseconds(500))
        }
      }
      let never = DispatchSemaphore(value: 0)
      await withCheckedContinuation { done in
        serial.async {
          _ = never.wait(timeout: .now() + .milliseconds(2))
          log.mark("timed out")
          all.wait()
          done.resume()
        }
        serial.async { log.mark("behind") }
      }
      await ticker.value
      serial.sync {}
    }
    #expect(log.count == 52)
  }

  @Test func `a task waits in the scope's time while its queues and tasks go on`() async throws {
    let log = try await sameLog { log in
      let semaphore = DispatchSemaphore(value: 0)
      Task {
        try? await Task.sleep(for: .milliseconds(1))
        log.mark("other task")
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
          log.mark("signals")
          semaphore.signal()
        }
      }
      waitBlocking(for: semaphore)
      log.mark("goes on")
    }
    #expect(log == ["other task@1", "signals@2", "goes on@2"])
  }

  @Test func `code of the main actor waits, and what is behind it runs afterwards`() async throws {
    let log = try await sameLog { log in
      let semaphore = DispatchSemaphore(value: 0)
      let waiting = Task { @MainActor in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
          semaphore.signal()
        }
        waitBlocking(for: semaphore)
        log.mark("goes on")
      }
      let behind = Task { @MainActor in log.mark("behind") }
      await waiting.value
      await behind.value
    }
    #expect(log == ["goes on@1", "behind@1"])
  }

  @Test func `an empty group notifies at once, another one when it is empty`() async throws {
    let log = try await sameLog { log in
      let group = DispatchGroup()
      await withCheckedContinuation { done in
        group.notify(queue: .global()) { log.mark("empty") }
        group.enter()
        group.notify(queue: .global()) {
          log.mark("notified")
          done.resume()
        }
        DispatchQueue.global().async {
          log.mark(group.wait(timeout: .now() + .milliseconds(1)) == .timedOut ? "timed out" : "?")
          log.mark(group.wait(timeout: .now() + .milliseconds(2)) == .success ? "waited" : "?")
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) { group.leave() }
      }
    }
    #expect(log == ["empty@0", "timed out@1", "waited@2", "notified@2"])
  }

  @Test func `a group that is not empty at the end notifies outside`() async throws {
    let log = Log<String>()
    let group = DispatchGroup()
    try await withVirtualTime(.reaching) { _ in
      group.enter()
      group.notify(queue: .global()) { log.mark("notified") }
    }
    #expect(log.entries.isEmpty)
    group.leave()
    await log.wait(for: 1)
    #expect(log.entries == ["notified@-1"])
  }

  @Test func `a thread outside ends a wait`() async throws {
    let outside = DispatchQueue(label: "outside")
    for _ in 0..<50 {
      let (ask, answer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      outside.async {
        ask.wait()
        answer.signal()
      }
      try await withVirtualTime(.reaching) { time in
        ask.signal()
        waitBlocking(for: answer)
        #expect(time.now.offset == .zero)
      }
    }
  }

  @Test func `a wait that nothing can end is reported, and the process lives on`() async throws {
    let problems = await issues {
      await #expect(throws: VirtualTimeError.bodyGivenUp) {
        try await withVirtualTime(.init(queuesAndThreads: .virtual, stallLimit: .milliseconds(1))) {
          _ in
          waitBlocking(for: DispatchSemaphore(value: 0))
        }
      }
    }
    #expect(problems.count == 1)
    try await checkThatAnOrdinaryScopeWorks()
  }
}

/// Waits in a function that is not asynchronous, where the compiler allows it.
private func waitBlocking(for semaphore: DispatchSemaphore) { semaphore.wait() }
