import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

private typealias Visit = UnsafeContinuation<Void, Never>

private actor Clerk {
  func sleepFor(_ duration: Duration) { usleep(UInt32(duration / .microseconds(1))) }
  func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
  func read(_ pipe: Pipe) -> UInt8 {
    var byte: UInt8 = 0
    _ = Foundation.read(pipe.fileHandleForReading.fileDescriptor, &byte, 1)
    return byte
  }
  func serve() {}
  func goOutside(_ visit: AsyncStream<Visit>.Continuation) async {
    await withUnsafeContinuation { _ = visit.yield($0) }
  }
}

/// Actors whose threads wait in virtual time, while tasks wait in their mailboxes.
@Suite(.virtualStandardClocks) struct BusyActorTests {
  /// Limits after which time has stood for too long.
  private var options: VirtualTimeOptions {
    VirtualTimeOptions(stallLimit: .seconds(600), holdLimit: .seconds(1))
  }

  @Test func `time moves while an actor sleeps for which tasks wait`() async throws {
    let log = try await sameLog(rounds: 20) { log in
      let clerk = Clerk()
      await withTaskGroup { customers in
        customers.addTask {
          await clerk.sleepFor(.seconds(5))
          log.mark("asleep no more")
        }
        for number in 1...3 {
          customers.addTask {
            await clerk.serve()
            log.mark("\(number) is served")
          }
        }
      }
    }
    #expect(
      log == [
        "asleep no more@5000", "1 is served@5000", "2 is served@5000", "3 is served@5000",
      ])
  }

  @Test func `time moves while two actors sleep whose callers wait for each other`() async throws {
    let log = try await sameLog(rounds: 20) { log in
      let (one, other) = (Clerk(), Clerk())
      async let first: Void = {
        await one.sleepFor(.seconds(2))
        await other.sleepFor(.seconds(3))
        log.mark("first")
      }()
      async let second: Void = {
        await other.sleepFor(.seconds(4))
        await one.sleepFor(.seconds(5))
        log.mark("second")
      }()
      _ = await (first, second)
    }
    #expect(log == ["first@7000", "second@9000"])
  }

  @Test func `a sleeper ends the wait of an actor for which tasks wait`() async throws {
    try await withVirtualTime(options) { time in
      let (clerk, semaphore) = (Clerk(), DispatchSemaphore(value: 0))
      let waiter = Task { await clerk.wait(for: semaphore) }
      let customer = Task { await clerk.serve() }
      try await Task.sleep(for: .seconds(5))
      semaphore.signal()
      await waiter.value
      await customer.value
      #expect(time.now.offset == .seconds(5))
    }
  }

  @Test(.withoutThreadSanitizer)
  func `time moves while an actor reads for which tasks wait`() async throws {
    for _ in 0..<10 {
      try await withVirtualTime(options) { time in
        let (clerk, pipe) = (Clerk(), Pipe())
        let reader = Task { await clerk.read(pipe) }
        await Task.yield()
        let customers = (0..<3).map { _ in Task { await clerk.serve() } }
        try await Task.sleep(for: .seconds(5))
        try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
        #expect(await reader.value == 1)
        for customer in customers { await customer.value }
        #expect(time.now.offset == .seconds(5))
      }
    }
  }

  @Test func `code outside puts tasks into the mailbox of such an actor`() async throws {
    let (visits, visit) = AsyncStream.makeStream(of: Visit.self)
    let outside = Task { for await visit in visits { visit.resume() } }
    for _ in 0..<100 {
      try await withVirtualTime(options) { time in
        let (clerk, semaphore) = (Clerk(), DispatchSemaphore(value: 0))
        let visitors = (0..<10).map { _ in Task { await clerk.goOutside(visit) } }
        let waiter = Task { await clerk.wait(for: semaphore) }
        try await Task.sleep(for: .seconds(5))
        semaphore.signal()
        await waiter.value
        for visitor in visitors { await visitor.value }
        #expect(time.now.offset == .seconds(5))
      }
    }
    visit.finish()
    await outside.value
  }
}
