import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

private actor Spinner {
  private var left = 100_000

  /// Ends by itself, so that no test hangs.
  func spin() {
    left -= 1
    if left > 0 { Task { self.spin() } }
  }
}

private func waitForOthers() { DispatchSemaphore(value: 0).wait() }

private func runTimer() {
  RunLoop.current.add(Timer(timeInterval: 1, repeats: true) { _ in }, forMode: .default)
  RunLoop.current.run()
}

private let tooManyJobs = "is endless: 1000 jobs have run at +0.0 seconds without a pause"
private let tooManyDeadlines = "is endless: 1000 deadlines have passed"

extension VirtualTimeOptions {
  fileprivate static func withJobLimit(_ limit: Int) -> VirtualTimeOptions {
    var options = hanging()
    options.jobLimit = limit
    (options.holdLimit, options.blockLimit) = (.seconds(60), .seconds(60))
    return options
  }

  fileprivate static func withoutJobLimit(virtual: Bool = false) -> VirtualTimeOptions {
    var options = hanging(queuesAndThreads: virtual ? .virtual : .real)
    options.jobLimit = .max
    (options.holdLimit, options.blockLimit) = (.seconds(8), .seconds(5))
    return options
  }
}

/// To cancel 200,000 tasks, each of them the child of the one before, needs more stack than a thread has.
private func startChildrenOfChildren() async {
  async let child: Void = startChildrenOfChildren()
  await child
}

extension WayToHang {
  /// Something of the scope always goes on.
  static let goingOn = [
    WayToHang(
      name: "a body that polls",
      message: [
        tooManyDeadlines, "up to +1000.0 seconds", "The body waits in closure in",
        "The body may poll: it sleeps in a loop", "raise 'eventLimit'",
      ]
    ) { _ in while true { try await Task.sleep(for: .seconds(1)) } },
    WayToHang(
      name: "a body that polls and swallows its cancellation",
      message: [tooManyDeadlines, "The body may poll", "the scope no longer runs it"],
      error: .bodyGivenUp
    ) { _ in while true { try? await Task.sleep(for: .seconds(1)) } },
    WayToHang(
      name: "a body that polls by moving time", message: [tooManyDeadlines, "The body may poll"],
      error: nil
    ) { time in while !Task.isCancelled { await time.advance(by: .seconds(1)) } },
    WayToHang(
      name: "a body whose child task always starts a child task",
      options: .withJobLimit(200_000),
      message: ["is endless: 200000 jobs have run", "a task that always starts another one"],
      error: .bodyGivenUp
    ) { _ in await startChildrenOfChildren() },
    WayToHang(
      name: "a repeating timer, while the body waits for ever",
      message: [
        tooManyDeadlines, "The body waits in untilCancelled()", "“heartbeat”, asleep since",
        "a repeating timer keeps time moving",
      ]
    ) { _ in
      Task(name: "heartbeat") { while true { try await Task.sleep(for: .seconds(1)) } }
      try await untilCancelled()
    },
    WayToHang(
      name: "many repeating timers, while a task waits for ever",
      message: [
        tooManyDeadlines, "which waits for a continuation that has not been resumed",
        "asleep since", "and 11 more",
      ],
      error: .bodyGivenUp
    ) { _ in
      for _ in 0..<20 { Task { while true { try await Task.sleep(for: .seconds(1)) } } }
      await Task { await neverResumed() }.value
    },
    WayToHang(
      name: "a loop that yields",
      message: [
        tooManyJobs, "“spinner”\n    in closure in", "a loop that yields and never sleeps",
        "raise 'jobLimit'",
      ]
    ) { _ in
      Task(name: "spinner") { while !Task.isCancelled { await Task.yield() } }
      try await Task.sleep(for: .seconds(1))
    },
    WayToHang(
      name: "tasks that start others",
      message: [
        tooManyJobs, "\n    in closure in start", "a task that always starts another one",
        "raise 'jobLimit'",
      ]
    ) { _ in
      // Ends by itself, so that no test hangs.
      @Sendable func start(_ left: Int) { if left > 0 { Task { start(left - 1) } } }
      start(100_000)
      try await Task.sleep(for: .seconds(1))
    },
    WayToHang(
      name: "tasks that start two others each", options: .withoutJobLimit(),
      message: [
        "is endless: at +0.0 seconds, 1000", "of its tasks have not ended",
        "    in closure in start",
        "a task that always starts others", "raise 'eventLimit'", "the scope no longer runs it",
      ],
      error: .bodyGivenUp
    ) { _ in
      @Sendable func start() {
        Task {
          start()
          start()
        }
      }
      start()
      try await Task.sleep(for: .seconds(1))
    },
    WayToHang(
      name: "child tasks that start two others each",
      message: [
        tooManyJobs, "\n    in closure in grow(", "a task that always starts another one",
        "raise 'jobLimit'", "the scope no longer runs it",
      ],
      error: .bodyGivenUp
    ) { _ in
      // Ends by itself, so that no test hangs.
      @Sendable func grow(_ levels: Int) async {
        await withTaskGroup { group in
          for _ in 0..<2 where levels > 0 { group.addTask { await grow(levels - 1) } }
        }
      }
      await grow(16)
    },
    WayToHang(
      name: "a timer that starts tasks which wait for ever",
      options: VirtualTimeOptions(stallLimit: .milliseconds(20), eventLimit: 400_004),
      message: [
        "is endless: at +99999.0 seconds, 100001 of its tasks have not ended",
        "    in neverResumed()", "a repeating timer that starts tasks", "raise 'eventLimit'",
      ]
    ) { _ in
      Task {
        while true {
          Task { await neverResumed() }
          try await Task.sleep(for: .seconds(1))
        }
      }
      try await untilCancelled()
    },
    WayToHang(
      name: "a body that polls while it keeps its thread",
      options: .hanging(queuesAndThreads: .virtual),
      message: [tooManyDeadlines, "up to +1000.0 seconds", "The body may poll"],
      error: .bodyGivenUp
    ) { _ in
      while true {
        sleep(1)
        sched_yield()
      }
    },
    WayToHang(
      name: "a block that submits itself", options: .hanging(queuesAndThreads: .virtual),
      message: [
        tooManyJobs, "a block of the queue “again”\n    in closure in again", "raise 'jobLimit'",
      ],
      error: .bodyGivenUp
    ) { _ in
      let queue = DispatchQueue(label: "again")
      @Sendable func again() { queue.async { again() } }
      again()
      await neverResumed()
    },
    WayToHang(
      name: "a block that submits itself for later", options: .hanging(queuesAndThreads: .virtual),
      message: [
        tooManyDeadlines, "The body waits in neverResumed()", "These timers of the scope are set",
        "a block of the queue “again”, due at +1001.0 seconds\n    in closure in again",
        "a repeating timer keeps time moving",
      ],
      error: .bodyGivenUp
    ) { _ in
      let queue = DispatchQueue(label: "again")
      @Sendable func again() { queue.asyncAfter(deadline: .now() + 1) { again() } }
      again()
      await neverResumed()
    },
    WayToHang(
      name: "a timer of a queue, while the body waits for ever",
      options: .hanging(queuesAndThreads: .virtual),
      message: [tooManyDeadlines, "a timer of the queue “ticks”, due at +1000.0 seconds"],
      error: .bodyGivenUp
    ) { _ in
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticks"))
      timer.schedule(deadline: .now(), repeating: 1)
      timer.setEventHandler {}
      timer.resume()
      await neverResumed()
      timer.cancel()
    },
    WayToHang(
      name: "threads that start others", options: .hanging(queuesAndThreads: .virtual),
      message: [tooManyJobs, "a thread that begins", "raise 'jobLimit'"], error: .bodyGivenUp
    ) { _ in
      @Sendable func start() { Thread { start() }.start() }
      start()
      await neverResumed()
    },
    WayToHang(
      name: "threads that wake each other", options: .hanging(queuesAndThreads: .virtual),
      message: [
        tooManyJobs, "- thread ", "in closure in", "- thread ", "in closure in", "raise 'jobLimit'",
      ],
      error: .bodyGivenUp
    ) { _ in
      let (ping, pong) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread {
        while true {
          ping.wait()
          pong.signal()
        }
      }.start()
      Thread {
        while true {
          ping.signal()
          pong.wait()
        }
      }.start()
      await neverResumed()
    },
    WayToHang(
      name: "a thread that runs a run loop with a repeating timer",
      options: .hanging(queuesAndThreads: .virtual),
      message: [
        tooManyDeadlines, "The body waits in neverResumed()", "runTimer() WaysToGoOn.swift",
      ],
      error: .bodyGivenUp
    ) { _ in
      Thread { runTimer() }.start()
      await neverResumed()
    },
    WayToHang(
      name: "a body that yields and ignores its cancellation",
      message: [tooManyJobs, "the scope no longer runs it"], error: .bodyGivenUp
    ) { _ in while true { await Task.yield() } },
    WayToHang(
      name: "sleeps for no time",
      message: [tooManyJobs, "Let the loop sleep"]
    ) { _ in
      Task { while true { try await Task.sleep(for: .zero) } }
      try await Task.sleep(for: .seconds(1))
    },
    WayToHang(
      name: "two tasks that wake each other",
      message: [tooManyJobs, "“ping”", "“pong”", "Let the loop sleep"]
    ) { _ in
      let (pings, ping) = AsyncStream.makeStream(of: Void.self)
      let (pongs, pong) = AsyncStream.makeStream(of: Void.self)
      Task(name: "ping") { for await _ in pings { pong.yield() } }
      Task(name: "pong") { for await _ in pongs { ping.yield() } }
      ping.yield()
      try await Task.sleep(for: .seconds(1))
    },
    WayToHang(
      name: "an actor that keeps its own mailbox full",
      message: [
        tooManyJobs, "an actor whose work always adds more work",
      ],
      error: .bodyGivenUp
    ) { _ in
      await Spinner().spin()
      try await Task.sleep(for: .seconds(1))
    },
  ]

  /// That leaves thousands of threads behind.
  static let leavingThreads =
    WayToHang(
      name: "threads that start others, and wait", options: .withoutJobLimit(virtual: true),
      message: [
        "is endless: at +0.0 seconds, 2000 of its threads wait", "in waitForOthers()",
        "a thread that always starts others",
      ],
      error: .bodyGivenUp
    ) { _ in
      @Sendable func start() {
        Thread {
          start()
          waitForOthers()
        }.start()
      }
      start()
      await neverResumed()
    }
}
