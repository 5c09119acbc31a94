import Dispatch
import EscapementClocks
import EscapementVirtualTime
import TestSupport
import Testing

private func loadForEver() async {
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}

/// The value of a task that is made later.
private actor LateTask {
  private var task: Task<Void, Never>?

  func set(_ task: Task<Void, Never>) { self.task = task }
  func value() async { await task?.value }
}

private let stuck = "is stuck at +0.0 seconds: its body is waiting"
private let findTheCode = "Find the code that should have resumed the body."

extension WayToHang {
  /// The body waits for something that does not come.
  static let waiting = [
    WayToHang(
      name: "a continuation that is never resumed",
      message: [
        stuck, "The body waits in loadForEver() WaysToWait.swift:8", "a continuation that is never",
        findTheCode, "the scope no longer runs it",
      ],
      error: .bodyGivenUp
    ) { _ in await loadForEver() },
    WayToHang(
      name: "a stream that is never finished",
      message: [
        stuck, "The body waits in untilCancelled()", "a stream that is never finished", findTheCode,
        "The body has been cancelled.",
      ]
    ) { _ in try await untilCancelled() },
    WayToHang(
      name: "a test clock that is never advanced",
      message: [stuck, "a test clock that is never advanced", findTheCode]
    ) { _ in try await TestClock().sleep(for: .seconds(1)) },
    WayToHang(
      name: "time that only the test moves",
      options: VirtualTimeOptions(mode: .manual, stallLimit: .milliseconds(20)),
      message: [stuck, "asleep since +0.0 seconds until +1.0 seconds", "advance time to the next"]
    ) { _ in try await Task.sleep(for: .seconds(1)) },
    WayToHang(
      name: "a sleep for ever",
      message: [stuck, "asleep since +0.0 seconds for ever", findTheCode]
    ) { _ in try await Task.sleep(for: .seconds(Int64.max)) },
    WayToHang(
      name: "the value of a task that waits for ever",
      message: [
        stuck, "These other tasks", "which waits for a continuation that has not been resumed",
        "in loadForEver() WaysToWait.swift:8", findTheCode,
      ],
      error: .bodyGivenUp
    ) { _ in await Task { await loadForEver() }.value },
    WayToHang(
      name: "a chain of tasks",
      message: [stuck, "which waits for the value of task ", "in closure in", "in loadForEver()"],
      error: .bodyGivenUp
    ) { _ in
      let last = Task { await loadForEver() }
      await Task { await last.value }.value
    },
    WayToHang(
      name: "two tasks that wait for each other",
      options: VirtualTimeOptions(stallLimit: .seconds(600)),
      message: [
        "is deadlocked at +0.0 seconds", "which waits for the value of task ", "LateTask.value()",
        "which waits for the value of task ", "Let one of these tasks end",
      ],
      error: .bodyGivenUp
    ) { _ in
      let (one, two) = (LateTask(), LateTask())
      await one.set(Task { await two.value() })
      await two.set(Task { await one.value() })
      await one.value()
    },
    WayToHang(
      name: "a task that waits for itself",
      options: VirtualTimeOptions(stallLimit: .seconds(600)),
      message: [
        "is deadlocked", "which waits for the value of task ", "Cancellation does not help",
      ],
      error: .bodyGivenUp
    ) { _ in
      let own = LateTask()
      let task = Task { await own.value() }
      await own.set(task)
      await task.value
    },
    WayToHang(
      name: "a group whose child waits for ever",
      message: [stuck, "closure in", findTheCode], error: .bodyGivenUp
    ) { _ in await withTaskGroup { group in group.addTask { await loadForEver() } } },
    WayToHang(
      name: "an 'async let' that waits for ever",
      message: [stuck, "The body waits in", findTheCode], error: .bodyGivenUp
    ) { _ in
      async let value: Void = loadForEver()
      await value
    },
    WayToHang(
      name: "slow work outside the scope",
      message: [
        stuck, "Wrap that work in 'hold { }' of the scope's handle, or raise 'stallLimit'.",
      ],
      error: .bodyGivenUp
    ) { _ in
      await withCheckedContinuation { done in
        DispatchQueue.global().asyncAfter(deadline: .now() + 600) { done.resume() }
      }
    },
    WayToHang(
      name: "a block of a queue that is suspended",
      options: .hanging(queuesAndThreads: .virtual),
      message: [
        stuck, "The body waits in", "a block waits for the queue “asleep”, which is suspended",
        "in closure in", "Resume a queue that is suspended",
      ],
      error: .bodyGivenUp
    ) { _ in
      let queue = DispatchQueue(label: "asleep")
      queue.suspend()
      await withCheckedContinuation { done in queue.async { done.resume() } }
    },
    WayToHang(
      name: "a hold that does not end",
      message: [
        "is held at +0.0 seconds for more than 0.02 seconds of real time",
        "The body waits in untilCancelled()", "raise 'holdLimit'",
      ]
    ) { time in try await time.hold { try await untilCancelled() } },
    WayToHang(
      name: "a sleep inside a hold",
      message: [
        "is held at +0.0 seconds",
        "inside 'hold { }', asleep since +0.0 seconds until +1.0 seconds",
        "A task sleeps in virtual time inside 'hold { }'", "sleep outside of the hold",
      ]
    ) { time in try await time.hold { try await Task.sleep(for: .seconds(1)) } },
    WayToHang(
      name: "a hold that ignores its cancellation",
      message: [
        "is held at", "The body waits in loadForEver()", "Make sure that each callback is called",
        "the scope no longer runs it",
      ],
      error: .bodyGivenUp
    ) { time in await time.hold { await loadForEver() } },
    WayToHang(
      name: "an executor that does not run its jobs",
      message: [
        "a task of it has waited for an actor that runs elsewhere",
        "which waits for the executor of an actor", "have an executor that does not",
      ],
      error: .bodyGivenUp
    ) { _ in await Task { await ForgottenActor().work() }.value },
  ]
}

/// An executor that never runs a job.
private final class ForgetfulExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {}
}

private actor ForgottenActor {
  private let executor = ForgetfulExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func work() {}
}
