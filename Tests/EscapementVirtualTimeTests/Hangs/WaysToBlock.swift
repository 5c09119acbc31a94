import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing
import _EscapementCore

private func waitForSemaphore() { DispatchSemaphore(value: 0).wait() }

private func waitForSignal() { pause() }

private func computeForEver() {
  let (checked, before) = (WayToHang.checked, WayToHang.checked.pointee)
  while checked.pointee == before {}
}

private actor Worker {
  func waitForSemaphore() { DispatchSemaphore(value: 0).wait() }
  func waitFor(_ other: Worker) {
    let done = DispatchSemaphore(value: 0)
    Task(name: "errand") {
      await other.beVisited()
      done.signal()
    }
    done.wait()
  }
  func beVisited() {}
  func readAll() async { for await _ in Endless() {} }
}

/// A sequence that always has the next element.
private struct Endless: AsyncSequence, AsyncIteratorProtocol {
  func makeAsyncIterator() -> Endless { self }
  mutating func next() async -> Int? { 1 }
}

private let blocked =
  "is blocked at +0.0 seconds: one of its tasks has kept its thread for more than 0.1 seconds"
private let suspendInstead =
  "Suspend the task instead, with 'await' and a continuation or a stream."
private let letItSleep = "Let the loop sleep, and let it end when its task is cancelled."
private let givenUp = "It has not ended, and the scope no longer runs it."

extension WayToHang {
  /// A task does not give its thread back.
  ///
  /// Each of these leaves the process with a thread less.
  static let blocking = [
    WayToHang(
      name: "a body that waits for a semaphore",
      message: [
        blocked, "The body blocks its thread in waitForSemaphore() WaysToBlock.swift:8",
        " <- closure in",
        suspendInstead, "raise 'blockLimit'", givenUp,
      ],
      error: .bodyGivenUp
    ) { _ in waitForSemaphore() },
    WayToHang(
      name: "a task that waits for a semaphore",
      message: [
        blocked, "“loader” blocks its thread in waitForSemaphore() WaysToBlock.swift:8",
        suspendInstead, givenUp,
      ],
      error: .bodyGivenUp
    ) { _ in
      Task(name: "loader") { waitForSemaphore() }
      try await Task.sleep(for: .seconds(1))
    },
    WayToHang(
      name: "an actor that waits for a semaphore",
      message: [
        blocked, "blocks its thread on the actor “Worker” in Worker.waitForSemaphore()",
        suspendInstead,
      ],
      error: .bodyGivenUp
    ) { _ in await Worker().waitForSemaphore() },
    WayToHang(
      name: "an actor that waits in virtual time, while the body waits for the actor",
      options: .hanging(queuesAndThreads: .virtual),
      message: [
        "is stuck at +0.0 seconds", "for the actor “Worker”, which task ", "“occupier” keeps busy",
        "“occupier” on the actor “Worker”",
        "in Worker.waitForSemaphore()", "Suspend the task instead", givenUp,
      ],
      error: .bodyGivenUp
    ) { _ in
      let worker = Worker()
      Task(name: "occupier") { await worker.waitForSemaphore() }
      await Task.yield()
      await worker.waitForSemaphore()
    },
    WayToHang(
      name: "two actors that block their threads until the other one has done something",
      options: VirtualTimeOptions(stallLimit: .milliseconds(20), holdLimit: .seconds(600)),
      message: [
        "is stuck at +0.0 seconds", "on the actor “Worker”", "in Worker.waitFor(_:)",
        "“errand”, which waits for the actor “Worker”", givenUp,
      ],
      error: .bodyGivenUp
    ) { _ in
      let (one, other) = (Worker(), Worker())
      async let first: Void = one.waitFor(other)
      async let second: Void = other.waitFor(one)
      _ = await (first, second)
    },
    WayToHang(
      name: "a dispatch group that is never left",
      message: [blocked, "blocks its thread in closure in", suspendInstead], error: .bodyGivenUp
    ) { _ in
      let group = DispatchGroup()
      group.enter()
      DispatchQueue.global().sync { group.wait() }
    },
    WayToHang(
      name: "a lock that is locked twice",
      message: [
        blocked, "blocks its thread in", "It waits for a semaphore, a lock", suspendInstead,
      ],
      error: .bodyGivenUp
    ) { _ in
      let lock = Lock(0)
      lock.withLock { _ in lock.withLock { $0 += 1 } }
    },
    WayToHang(
      name: "a wait that a signal ends, such as the one that asks the thread where it is",
      // As long as this, its thread may take to end.
      options: VirtualTimeOptions(queuesAndThreads: .virtual, stallLimit: .seconds(3)),
      message: [
        "is stuck at +0.0 seconds", "These threads run code of the scope, and are blocked",
        ", which runs the body, in the kernel's function",
        "in waitForSignal() WaysToBlock.swift", "wrap the wait in 'hold { }'",
      ],
      error: nil
    ) { _ in waitForSignal() },
    WayToHang(
      name: "virtual queues that wait for each other",
      options: .hanging(queuesAndThreads: .virtual),
      message: [
        "is stuck at +0.0 seconds", "This work of the scope waits for a queue",
        "waits for the queue “one”, which has other work that has not ended",
        "Let no work wait", "the scope no longer runs it",
      ],
      error: .bodyGivenUp
    ) { _ in
      let (one, two) = (DispatchQueue(label: "one"), DispatchQueue(label: "two"))
      one.async { two.sync {} }
      two.sync { one.sync {} }
    },
    WayToHang(
      name: "a loop without an end, after the thread has waited in virtual time",
      options: .hanging(queuesAndThreads: .virtual),
      message: [
        "is blocked at +1.0 seconds", "runs without suspending in computeForEver()", givenUp,
      ],
      error: .bodyGivenUp
    ) { _ in
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1)
      computeForEver()
    },
    WayToHang(
      name: "a loop without an end",
      message: [
        blocked, "runs without suspending in computeForEver() WaysToBlock.swift:14", letItSleep,
        givenUp,
      ],
      error: .bodyGivenUp
    ) { _ in computeForEver() },
    WayToHang(
      name: "a block without an end",
      options: .hanging(queuesAndThreads: .virtual),
      message: [
        blocked, "A block or a thread runs without suspending in computeForEver()",
        "until other code of the scope sets a flag", letItSleep, givenUp,
      ],
      error: .bodyGivenUp
    ) { _ in
      DispatchQueue.global().async { computeForEver() }
      await neverResumed()
    },
    // After its cancellation the loop may go on for the first one of these limits.
    WayToHang(
      name: "a loop that minds its cancellation",
      options: VirtualTimeOptions(stallLimit: .seconds(60), blockLimit: .milliseconds(100)),
      message: [blocked, "runs without suspending in closure in", "The body has been cancelled."],
      error: nil
    ) { _ in while !Task.isCancelled {} },
    WayToHang(
      name: "the same in a scope whose threads are virtual",
      options: VirtualTimeOptions(
        queuesAndThreads: .virtual, stallLimit: .seconds(60), blockLimit: .milliseconds(100)),
      message: [blocked, "runs without suspending in closure in", "The body has been cancelled."],
      error: nil
    ) { _ in while !Task.isCancelled {} },
    WayToHang(
      name: "a 'for await' loop over a sequence without an end",
      message: [blocked, "runs without suspending in ", "an endless sequence", letItSleep],
      error: .bodyGivenUp
    ) { _ in for await _ in Endless() {} },
    WayToHang(
      name: "the same on an actor, which it enters again for each element",
      message: [
        "is endless: 1000 jobs have run", "in Worker.readAll() WaysToBlock.swift:28",
        "a 'for await' loop over an endless sequence", "raise 'jobLimit'", givenUp,
      ],
      error: .bodyGivenUp
    ) { _ in await Worker().readAll() },
    WayToHang(
      name: "a task that is left over and never suspends",
      message: [blocked, "“left” runs without suspending", "The task has been cancelled."],
      error: nil
    ) { _ in Task(name: "left") { computeForEver() } },
    WayToHang(
      name: "a loop on the main actor",
      message: [
        blocked, "runs without suspending on the main actor in computeForEver()", letItSleep,
      ],
      error: .bodyGivenUp
    ) { _ in await MainActor.run { computeForEver() } },
    WayToHang(
      name: "a loop on the main actor, once more, now without the main thread",
      message: [
        blocked, "runs without suspending on the main actor in computeForEver()", letItSleep,
      ],
      error: .bodyGivenUp
    ) { _ in await MainActor.run { computeForEver() } },
  ]
}
