import BenchmarkSupport
import EscapementVirtualTime
import Foundation
import Synchronization

/// Blocks, waits and threads of a scope.
///
/// Their log, with exact times, must be the same in each round.
enum QueuesAndThreads: String, CaseIterable {
  case blocks = "blocks of queues"
  case waits = "semaphores, groups and sleeps"
  case threads = "threads, locks and conditions"
  case unknown = "pipes and Mutex"

  func run(rounds: Int) async -> Int {
    let tally = Tally(rawValue, of: rounds)
    var first: [String]?
    for _ in 0..<rounds {
      await tally.count {
        let log = Journal()
        try await withVirtualTime { _ in
          await play(log)
        }
        let entries = log.entries.withLock { $0 }
        let expected = first ?? entries
        first = expected
        guard entries.last == "end@\(lastMillisecond)" else { return ["\(entries)"] }
        return entries == expected ? [] : ["\(entries) instead of \(expected)"]
      }
    }
    return tally.finish()
  }

  private var lastMillisecond: Int {
    switch self {
    case .blocks: 20
    // 15 values, two at a time; each is produced for 3 ms and consumed for 3 ms.
    case .waits: 48
    // 12 turns with the lock, of 2 ms each.
    case .threads: 24
    // 3 rounds of 4 threads, 1 ms each with the mutex.
    case .unknown: 12
    }
  }

  private func play(_ log: Journal) async {
    await withCheckedContinuation { done in
      let all = DispatchGroup()
      switch self {
      case .blocks: playBlocks(log, all)
      case .waits: playWaits(log, all)
      case .threads: playThreads(log, all)
      case .unknown: playUnknown(log, all)
      }
      all.notify(queue: .global()) { done.resume() }
    }
    log.mark("end")
  }

  private func playBlocks(_ log: Journal, _ all: DispatchGroup) {
    let serial = DispatchQueue(label: "serial")
    for i in 0..<10 {
      DispatchQueue.global().async(group: all) {
        log.mark("global \(i)")
        serial.async(group: all) { log.mark("serial \(i)") }
      }
      all.enter()
      serial.asyncAfter(deadline: .now() + .milliseconds(i % 3 * 10)) {
        log.mark("later \(i)")
        all.leave()
      }
      all.enter()
      Task {
        try? await Task.sleep(for: .milliseconds(i))
        log.mark("task \(i)")
        all.leave()
      }
    }
  }

  private func playWaits(_ log: Journal, _ all: DispatchGroup) {
    let (full, empty) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 2))
    for p in 0..<3 {
      DispatchQueue.global().async(group: all) {
        for i in 0..<5 {
          empty.wait()
          usleep(3_000)
          log.mark("produced \(p).\(i)")
          full.signal()
        }
      }
      DispatchQueue.global().async(group: all) {
        for i in 0..<5 {
          let result = full.wait(timeout: .now() + .seconds(60))
          log.mark("\(result) \(p).\(i)")
          usleep(3_000)
          empty.signal()
        }
      }
    }
  }

  private func playThreads(_ log: Journal, _ all: DispatchGroup) {
    let (lock, condition) = (NSLock(), NSCondition())
    for i in 0..<4 {
      all.enter()
      Thread.detachNewThread {
        for step in 0..<3 {
          lock.lock()
          log.mark("\(i).\(step) has the lock")
          usleep(2_000)
          lock.unlock()
        }
        condition.lock()
        condition.broadcast()
        condition.unlock()
        all.leave()
      }
      all.enter()
      Thread.detachNewThread {
        condition.lock()
        condition.wait()
        condition.unlock()
        log.mark("\(i) is woken")
        all.leave()
      }
    }
  }
}

extension QueuesAndThreads {
  /// Waits that only the kernel knows of: a byte goes round through pipes.
  private func playUnknown(_ log: Journal, _ all: DispatchGroup) {
    let pipes = (0..<4).map { _ in Pipe() }
    let shared = Shared()
    for i in 0..<4 {
      all.enter()
      Thread.detachNewThread {
        for round in 0..<3 {
          let byte = pipes[i].fileHandleForReading.readData(ofLength: 1)
          shared.mutex.withLock { _ in
            usleep(1_000)
            log.mark("\(i) in round \(round)")
          }
          pipes[(i + 1) % 4].fileHandleForWriting.write(byte)
        }
        all.leave()
      }
    }
    pipes[0].fileHandleForWriting.write(Data([0]))
  }
}

private final class Shared: Sendable {
  let mutex = Mutex(())
}

/// What happened, with the virtual time in milliseconds.
private final class Journal: Sendable {
  let entries = Mutex<[String]>([])

  func mark(_ entry: String) {
    let time = VirtualTime.current.map { Int($0.now.offset / .milliseconds(1)) } ?? -1
    entries.withLock { $0.append("\(entry)@\(time)") }
  }
}
