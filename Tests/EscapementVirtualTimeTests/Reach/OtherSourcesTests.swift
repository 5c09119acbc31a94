@preconcurrency import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

/// Sources of other kinds than timers, channels, loops, and actors on queues.
@Suite(.virtualStandardClocks) struct OtherSourcesTests {
  @Test func `iterations run one after the other`() async throws {
    let log = try await sameLog { log in
      await withCheckedContinuation { done in
        DispatchQueue.global().async {
          DispatchQueue.concurrentPerform(iterations: 3) { i in
            usleep(1_000)
            log.mark("\(i)")
          }
          done.resume()
        }
      }
    }
    #expect(log == ["0@1", "1@2", "2@3"], "\(log)")
  }

  @Test func `queues with a common target exclude each other`() async throws {
    let log = try await sameLog { log in
      let target = DispatchQueue(label: "target")
      let all = DispatchGroup()
      for i in 0..<3 {
        DispatchQueue(label: "\(i)", target: target).async(group: all) {
          usleep(1_000)
          log.mark("\(i)")
        }
      }
      await withCheckedContinuation { done in all.notify(queue: .global()) { done.resume() } }
    }
    #expect(log == ["0@1", "1@2", "2@3"], "\(log)")
  }

  @Test func `an actor with an executor on a queue takes the time of the scope`() async throws {
    let log = try await sameLog { log in
      let actor = ActorOnQueue()
      async let first: Void = actor.work("first", log)
      async let second: Void = actor.work("second", log)
      _ = await (first, second)
    }
    #expect(log == ["first begins@0", "second begins@0", "first@1", "second@1"], "\(log)")
  }

  @Test func `a source of a pipe runs its handler`() async throws {
    let pipe = Pipe()
    try await withVirtualTime(.init(queuesAndThreads: .virtual, stallLimit: .seconds(10))) { _ in
      await withCheckedContinuation { done in
        let source = DispatchSource.makeReadSource(
          fileDescriptor: pipe.fileHandleForReading.fileDescriptor, queue: .global())
        source.setEventHandler {
          source.cancel()
          done.resume()
        }
        source.activate()
        pipe.fileHandleForWriting.write(Data([1]))
      }
    }
  }

  @Test func `a channel of DispatchIO reads`() async throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data([1, 2, 3]))
    try pipe.fileHandleForWriting.close()
    let count = try await withVirtualTime(
      .init(queuesAndThreads: .virtual, stallLimit: .seconds(10))
    ) { _ in
      await withCheckedContinuation { done in
        DispatchIO.read(
          fromFileDescriptor: pipe.fileHandleForReading.fileDescriptor, maxLength: 3,
          runningHandlerOn: .global()
        ) { data, _ in done.resume(returning: data.count) }
      }
    }
    #expect(count == 3)
  }
}

private actor ActorOnQueue {
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func work(_ name: String, _ log: Log<String>) async {
    log.mark("\(name) begins")
    try? await Task.sleep(for: .milliseconds(1))
    log.mark(name)
  }
}
