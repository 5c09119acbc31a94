import Dispatch
import EscapementVirtualTime
import Foundation
import Synchronization

extension ReachScenario {
  static let waits = [
    // 15 values, two at a time; each is produced for 3 ms and consumed for 3 ms.
    ReachScenario("semaphores, groups and sleeps", endingAt: 48, start: produceAndConsume),
    ReachScenario(name: "waits of a task", lastMillisecond: 55, play: waitInTask),
    // The run loop ends with its last timer after 12 ms.
    ReachScenario(name: "waits of the main actor", lastMillisecond: 22, play: waitOnMainActor),
    // Three owners, one after the other, for 3 ms each.
    ReachScenario("a lock that is held across sleeps", endingAt: 9, start: sleepWithLock),
    ReachScenario(name: "loops that yield", lastMillisecond: 0, play: yieldToEachOther),
    // The other task sleeps for 10 ms.
    ReachScenario(name: "waits in a hold", lastMillisecond: 10, play: waitInHold),
  ]
}

@Sendable private func produceAndConsume(_ log: Journal, _ all: DispatchGroup) {
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

@Sendable private func waitInTask(_ log: Journal) async {
  let other = Task(name: "other") {
    for _ in 0..<5 {
      try await Task.sleep(for: .milliseconds(10))
      log.mark("other")
    }
  }
  await Task.detached { waitSynchronously(log) }.value
  _ = await other.result
}

/// Each wait takes its time, and the rest of the scope goes on meanwhile.
private func waitSynchronously(_ log: Journal) {
  Thread.sleep(forTimeInterval: 0.015)
  log.mark("slept")
  let semaphore = DispatchSemaphore(value: 0)
  log.mark("\(semaphore.wait(timeout: .now() + .milliseconds(10)))")
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) { semaphore.signal() }
  log.mark("\(semaphore.wait(timeout: .distantFuture))")
  let group = DispatchGroup()
  DispatchQueue.global().async(group: group) { usleep(10_000) }
  log.mark("\(group.wait(timeout: .now() + .milliseconds(5)))")
  log.mark("\(group.wait(timeout: .now() + .seconds(5)))")
  let condition = NSCondition()
  condition.lock()
  log.mark("woken: \(condition.wait(until: Date() + 0.010))")
  condition.unlock()
}

@Sendable private func waitOnMainActor(_ log: Journal) async {
  await MainActor.run {
    for i in 1...3 {
      _ = Timer.scheduledTimer(withTimeInterval: 0.004 * Double(i), repeats: false) { _ in
        log.mark("timer \(i)")
      }
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) { log.mark("main queue") }
    RunLoop.current.run(until: Date() + 0.020)
    log.mark("run loop ended")
    Thread.sleep(forTimeInterval: 0.010)
  }
}

@Sendable private func sleepWithLock(_ log: Journal, _ all: DispatchGroup) {
  let lock = NSLock()
  for i in 0..<3 {
    DispatchQueue.global().async(group: all) {
      lock.withLock {
        usleep(3_000)
        log.mark("owner \(i)")
      }
    }
  }
}

@Sendable private func yieldToEachOther(_ log: Journal) async {
  let counts = Counts()
  await withTaskGroup { group in
    for own in 0..<2 {
      group.addTask {
        for count in 1...20 {
          counts.set(count, of: own)
          while counts.count(of: 1 - own) < count { await Task.yield() }
        }
        log.mark("loop \(own)")
      }
    }
  }
}

private final class Counts: Sendable {
  private let counts = Mutex([0, 0])
  func set(_ count: Int, of index: Int) { counts.withLock { $0[index] = count } }
  func count(of index: Int) -> Int { counts.withLock { $0[index] } }
}

@Sendable private func waitInHold(_ log: Journal) async {
  let other = Task(name: "other") {
    try await Task.sleep(for: .milliseconds(10))
    log.mark("other")
  }
  await VirtualTime.current?.hold { waitReally(log) }
  log.mark("held")
  _ = await other.result
}

/// Each wait takes its time in real time, and the clocks agree.
private func waitReally(_ log: Journal) {
  let start = DispatchTime.now().uptimeNanoseconds
  usleep(1_000)
  log.mark("\(DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1)))")
  let condition = NSCondition()
  condition.lock()
  log.mark("woken: \(condition.wait(until: Date() + 0.001))")
  condition.unlock()
  let end = Date() + 0.001
  while Date() < end { usleep(250) }
  log.mark("\((DispatchTime.now().uptimeNanoseconds - start) / 100_000) tenths of a millisecond")
}
