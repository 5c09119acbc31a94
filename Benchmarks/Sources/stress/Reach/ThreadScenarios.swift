import Dispatch
import EscapementVirtualTime
import Foundation
import Synchronization

extension ReachScenario {
  static let threads =
    [
      // 12 turns with the lock, of 2 ms each.
      ReachScenario("threads, locks and conditions", endingAt: 24, start: shareLock),
      ReachScenario("waits for files with a timeout", endingAt: 40, start: waitForFiles),
    ] + unknownWaits

  /// Waits of which only the kernel tells, and not under Thread Sanitizer.
  private static let unknownWaits =
    dlsym(nil, "__tsan_init") != nil
    ? []
    : [
      // 3 rounds of 4 threads, 1 ms each with the mutex.
      ReachScenario("pipes and Mutex", endingAt: 12, start: passByte)
    ]
}

/// Runs a body in a thread of its own, which the group waits for.
private func detach(_ group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
  group.enter()
  Thread.detachNewThread {
    body()
    group.leave()
  }
}

@Sendable private func shareLock(_ log: Journal, _ all: DispatchGroup) {
  let (lock, condition) = (NSLock(), NSCondition())
  for i in 0..<4 {
    detach(all) {
      for step in 0..<3 {
        lock.lock()
        log.mark("\(i).\(step) has the lock")
        usleep(2_000)
        lock.unlock()
      }
      condition.lock()
      condition.broadcast()
      condition.unlock()
    }
    detach(all) {
      condition.lock()
      condition.wait()
      condition.unlock()
      log.mark("\(i) is woken")
    }
  }
}

/// A byte goes round through pipes.
@Sendable private func passByte(_ log: Journal, _ all: DispatchGroup) {
  let pipes = (0..<4).map { _ in Pipe() }
  let shared = Shared()
  for i in 0..<4 {
    detach(all) {
      for round in 0..<3 {
        let byte = pipes[i].fileHandleForReading.readData(ofLength: 1)
        shared.mutex.withLock { _ in
          usleep(1_000)
          log.mark("\(i) in round \(round)")
        }
        pipes[(i + 1) % 4].fileHandleForWriting.write(byte)
      }
    }
  }
  pipes[0].fileHandleForWriting.write(Data([0]))
}

private final class Shared: Sendable {
  let mutex = Mutex(())
}

@Sendable private func waitForFiles(_ log: Journal, _ all: DispatchGroup) {
  let pipes = (0..<3).map { _ in Pipe() }
  for (i, pipe) in pipes.enumerated() {
    detach(all) {
      // Times out once, and is answered the second time.
      for timeout in [10, 60] as [Int32] {
        var file = pollfd(
          fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        log.mark("\(i) has \(poll(&file, 1, timeout)) file")
      }
      log.mark("\(i) reads \(pipe.fileHandleForReading.readData(ofLength: 1).count) byte")
    }
    detach(all) {
      usleep(UInt32(20_000 + 10_000 * i))
      pipe.fileHandleForWriting.write(Data([0]))
    }
  }
}
