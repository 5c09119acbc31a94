import Dispatch
import EscapementVirtualTime
import Foundation

extension ReachScenario {
  static let queues = [
    ReachScenario("blocks of queues", endingAt: 20, start: submitBlocks),
    ReachScenario("barriers, work items and target queues", endingAt: 12, start: useWorkItems),
    ReachScenario(name: "the main queue, actors", lastMillisecond: 9, play: useMainQueue),
    ReachScenario("sources and DispatchIO", endingAt: 50, start: useSources),
  ]
}

@Sendable private func submitBlocks(_ log: Journal, _ all: DispatchGroup) {
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

@Sendable private func useWorkItems(_ log: Journal, _ all: DispatchGroup) {
  let shared = DispatchQueue(label: "shared", attributes: .concurrent)
  for i in 0..<6 {
    // 0 and 1 sleep side by side, as 3 and 4 do. 2 and 5 are barriers: 4 times 2 ms.
    shared.async(group: all, flags: i % 3 == 2 ? .barrier : []) {
      usleep(2_000)
      log.mark("shared \(i)")
    }
  }
  let target = DispatchQueue(label: "target")
  for i in 0..<3 {
    let queue = DispatchQueue(label: "queue \(i)", target: target)
    nonisolated(unsafe) let item = DispatchWorkItem {
      // One after the other, since they have a target in common: 3 times 4 ms.
      usleep(4_000)
      log.mark("item \(i)")
    }
    item.notify(queue: .global()) { log.mark("after item \(i)") }
    queue.async(group: all, execute: item)
    all.enter()
    DispatchQueue.global().async {
      item.wait()
      log.mark("has waited for item \(i)")
      all.leave()
    }
    let cancelled = DispatchWorkItem { log.mark("never") }
    queue.async(execute: cancelled)
    cancelled.cancel()
  }
  DispatchQueue.global().async(group: all) {
    DispatchQueue.concurrentPerform(iterations: 4) { log.mark("iteration \($0)") }
    shared.sync { log.mark("asked and waited") }
  }
}

private final class QueueExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "actor")

  func enqueue(_ job: UnownedJob) {
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private actor QueueActor {
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func work(_ i: Int, _ log: Journal) async {
    dispatchPrecondition(condition: .onQueue(executor.queue))
    log.mark("actor \(i) begins")
    try? await Task.sleep(for: .milliseconds(3 * i))
    log.mark("actor \(i) ends")
  }
}

@MainActor private func workOnMainActor(_ i: Int, _ log: Journal) async {
  log.mark("main actor \(i)")
  await Task.yield()
  log.mark("main actor \(i) again")
}

@Sendable private func useMainQueue(_ log: Journal) async {
  let actor = QueueActor()
  await withTaskGroup { group in
    for i in 0..<4 {
      group.addTask { await actor.work(i, log) }
      group.addTask { await workOnMainActor(i, log) }
      group.addTask {
        await withCheckedContinuation { done in
          DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(i)) {
            log.mark("main queue \(i)")
            done.resume()
          }
        }
      }
      group.addTask {
        await withCheckedContinuation { done in
          DispatchQueue.global().async {
            DispatchQueue.main.sync { log.mark("main queue, waited for, \(i)") }
            done.resume()
          }
        }
      }
    }
  }
}

@Sendable private func useSources(_ log: Journal, _ all: DispatchGroup) {
  let queue = DispatchQueue(label: "sources")
  let pipe = Pipe()
  let additions = DispatchSource.makeUserDataAddSource(queue: queue)
  additions.setEventHandler { log.mark("sum \(additions.data)") }
  additions.activate()
  let ticks = DispatchSource.makeTimerSource(queue: queue)
  var left = 5
  ticks.schedule(deadline: .now() + .milliseconds(10), repeating: .milliseconds(10))
  ticks.setEventHandler {
    log.mark("tick")
    additions.add(data: 1)
    additions.add(data: 1)
    pipe.fileHandleForWriting.write(Data([UInt8(left)]))
    left -= 1
    if left == 0 { ticks.cancel() }
  }
  ticks.setCancelHandler {
    try? pipe.fileHandleForWriting.close()
    additions.cancel()
  }
  ticks.activate()
  all.enter()
  let io = DispatchIO(
    type: .stream, fileDescriptor: pipe.fileHandleForReading.fileDescriptor, queue: queue
  ) { _ in
    log.mark("closed")
    _ = pipe
    all.leave()
  }
  io.setLimit(lowWater: 1)
  io.read(offset: 0, length: .max, queue: queue) { isDone, data, error in
    log.mark("read \(data.map(Array.init) ?? []) \(isDone) \(error)")
    if isDone { io.close() }
  }
}
