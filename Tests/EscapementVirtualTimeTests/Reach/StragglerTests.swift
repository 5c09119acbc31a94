import Dispatch
import EscapementVirtualTime
import Foundation
import Synchronization
import TestSupport
import Testing

/// Threads that wait for what the scope does not know.
@Suite(.virtualStandardClocks, .withoutThreadSanitizer) struct StragglerTests {
  @Test(arguments: Waiter.allCases)
  func `while a thread waits for a pipe, the scope goes on`(waiter: Waiter) async throws {
    let log = try await sameLog(rounds: 20) { log in
      let (bytes, all) = (ByteQueue(), DispatchGroup())
      all.enter()
      waiter.start {
        log.mark("reader begins")
        log.mark("reads \(bytes.next())")
        usleep(1_000)
        log.mark("reads \(bytes.next())")
        all.leave()
      }
      DispatchQueue.global().async(group: all) {
        usleep(5_000)
        log.mark("writes 1")
        bytes.add(1)
        usleep(20_000)
        log.mark("writes 2")
        bytes.add(2)
      }
      await withCheckedContinuation { done in all.notify(queue: .global()) { done.resume() } }
    }
    #expect(
      log == ["reader begins@0", "writes 1@5", "reads 1@5", "writes 2@25", "reads 2@25"],
      "\(log)")
  }

  @Test func `while a thread waits for a Mutex whose owner sleeps, the scope goes on`()
    async throws
  {
    let log = try await sameLog(rounds: 20) { log in
      let all = DispatchGroup()
      let shared = Shared()
      for i in 0..<3 {
        DispatchQueue.global().async(group: all) {
          shared.mutex.withLock { _ in
            log.mark("\(i) has it")
            usleep(10_000)
          }
        }
      }
      await withCheckedContinuation { done in all.notify(queue: .global()) { done.resume() } }
    }
    #expect(log == ["0 has it@0", "1 has it@10", "2 has it@20"], "\(log)")
  }

  @Test func `a block that waits for a pipe keeps others out of its serial queue`() async throws {
    let log = try await sameLog(rounds: 20) { log in
      let (bytes, all) = (ByteQueue(), DispatchGroup())
      let queue = DispatchQueue(label: "serial")
      queue.async(group: all) { log.mark("reads \(bytes.next())") }
      queue.async(group: all) { log.mark("second") }
      usleep(5_000)
      log.mark("writes")
      bytes.add(1)
      await withCheckedContinuation { done in all.notify(queue: .global()) { done.resume() } }
    }
    #expect(log == ["writes@5", "reads 1@5", "second@5"], "\(log)")
  }

  @Test func `a lock of a thread that waits for a pipe is free when that goes on`() async throws {
    let log = try await sameLog(rounds: 20) { log in
      let (bytes, all, lock) = (ByteQueue(), DispatchGroup(), NSLock())
      DispatchQueue.global().async(group: all) {
        lock.lock()
        log.mark("reads \(bytes.next())")
        lock.unlock()
      }
      DispatchQueue.global().async(group: all) {
        lock.lock()
        log.mark("has the lock")
        lock.unlock()
      }
      usleep(5_000)
      log.mark("writes")
      bytes.add(1)
      await withCheckedContinuation { done in all.notify(queue: .global()) { done.resume() } }
    }
    #expect(log == ["writes@5", "reads 1@5", "has the lock@5"], "\(log)")
  }

  @Test func `what a thread submits after such a wait belongs to the scope`() async throws {
    let log = try await sameLog(rounds: 20) { log in
      let bytes = ByteQueue()
      await withCheckedContinuation { done in
        DispatchQueue.global().async {
          _ = bytes.next()
          DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
            log.mark("later")
            done.resume()
          }
          Task { log.mark("task") }
        }
        DispatchQueue.global().async {
          usleep(1_000)
          bytes.add(1)
        }
      }
    }
    #expect(log == ["task@1", "later@1001"], "\(log)")
  }

  @Test func `many threads wait for each other through pipes`() async throws {
    let log = try await sameLog(rounds: 3) { log in
      let pipes = (0..<5).map { _ in ByteQueue() }
      let all = DispatchGroup()
      for i in 0..<5 {
        all.enter()
        Thread.detachNewThread {
          for round in 0..<3 {
            let byte = pipes[i].next()
            usleep(1_000)
            log.mark("\(i) in round \(round)")
            pipes[(i + 1) % 5].add(byte + 1)
          }
          all.leave()
        }
      }
      pipes[0].add(0)
      await withCheckedContinuation { done in all.notify(queue: .global()) { done.resume() } }
    }
    #expect(log.count == 15)
    #expect(log.last == "4 in round 2@15", "\(log)")
  }

  @Test func `time stands while a thread waits for a process`() async throws {
    try await withVirtualTime(.reaching) { time in
      let ticks = Task {
        while !Task.isCancelled { try? await Task.sleep(for: .nanoseconds(1)) }
      }
      let start = time.now
      let status = runProcess("sleep 0.05; exit 7")
      #expect(status == 7)
      #expect(time.now == start)
      ticks.cancel()
    }
  }

  @Test func `a wait that nothing ends is reported, and the process lives on`() async throws {
    let bytes = ByteQueue()
    let problems = await issues {
      await #expect(throws: VirtualTimeError.bodyGivenUp) {
        try await withVirtualTime(
          .init(queuesAndThreads: .virtual, stallLimit: .milliseconds(50))
        ) { _ in
          await withUnsafeContinuation { done in
            DispatchQueue.global().async {
              _ = bytes.next()
              done.resume()
            }
          }
        }
      }
    }
    #expect(problems.count == 1)
    #expect(problems.first?.message.contains("pipe_read") == true, "\(problems)")
    bytes.add(0)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test func `a thread that is left over in such a wait goes on outside the scope`() async throws {
    for _ in 0..<10 {
      let (bytes, ended) = (ByteQueue(), DispatchSemaphore(value: 0))
      try await withVirtualTime(.reaching) { _ in
        Thread.detachNewThread {
          _ = bytes.next()
          _ = Date()
          ended.signal()
        }
        try await Task.sleep(for: .seconds(1))
      }
      bytes.add(1)
      wait(for: ended)
    }
  }
}

/// What waits.
enum Waiter: CaseIterable {
  case block, mainBlock, thread, task, mainActor

  func start(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .block: DispatchQueue.global().async(execute: body)
    case .mainBlock: DispatchQueue.main.async(execute: body)
    case .thread: Thread.detachNewThread(body)
    case .task: Task { body() }
    case .mainActor: Task { @MainActor in body() }
    }
  }
}

private final class Shared: Sendable {
  let mutex = Mutex(())
}

// In functions that are not asynchronous, where the compiler allows it.

private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

/// Runs a command of the shell, and waits for it in the kernel.
private func runProcess(_ command: String) -> Int32 {
  var (process, status): (pid_t, Int32) = (0, 0)
  let words = (["sh", "-c", command] as [String]).map { strdup($0) as UnsafeMutablePointer<CChar>? }
  defer { for word in words { free(word) } }
  precondition(posix_spawn(&process, "/bin/sh", nil, nil, words + [nil], environ) == 0)
  while waitpid(process, &status, 0) < 0 {}
  return status >> 8
}
