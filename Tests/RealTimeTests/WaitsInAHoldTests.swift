import Dispatch
import EscapementTesting
import Foundation
import Testing

/// A way to wait for a fifth of a second.
private struct Wait: CustomTestStringConvertible, Sendable {
  static let seconds = 0.2
  static let exactly: ClosedRange<Duration> = .milliseconds(200)...(.milliseconds(200))
  /// Up to a microsecond less, since the clock is that of the caller and has been read before.
  static let about: ClosedRange<Duration> = .microseconds(199_999)...(.milliseconds(200))
  static let not: ClosedRange<Duration> = .zero...(.zero)

  let testDescription: String
  /// How far the clocks of the code move, at least and at most.
  var moves: ClosedRange<Duration> = .milliseconds(199)...(.seconds(60))
  let wait: @Sendable () -> Void

  static let all: [Wait] =
    sleeps + loops + conditions + [
      Wait(testDescription: "DispatchSemaphore") {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + seconds)
      },
      Wait(testDescription: "DispatchSemaphore, wall") {
        _ = DispatchSemaphore(value: 0).wait(wallTimeout: .now() + seconds)
      },
      Wait(testDescription: "DispatchGroup", moves: about) {
        waitForGroup { $0.wait(timeout: .now() + seconds) }
      },
      Wait(testDescription: "DispatchGroup, wall", moves: about) {
        waitForGroup { $0.wait(wallTimeout: .now() + seconds) }
      },
      Wait(testDescription: "asyncAfter", moves: not) {
        waitWithoutLimit {
          DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: $0)
        }
      },
      Wait(testDescription: "asyncAfter, wall", moves: not) {
        waitWithoutLimit {
          DispatchQueue.global().asyncAfter(wallDeadline: .now() + seconds, execute: $0)
        }
      },
      Wait(testDescription: "a timer source", moves: not) {
        let timer = DispatchSource.makeTimerSource()
        waitWithoutLimit {
          timer.setEventHandler(handler: $0)
          timer.schedule(deadline: .now() + seconds)
          timer.activate()
        }
        timer.cancel()
      },
      Wait(testDescription: "RunLoop.run(until:)") {
        let keepsGoing = Timer(timeInterval: 3_600, repeats: true) { _ in }
        RunLoop.current.add(keepsGoing, forMode: .default)
        RunLoop.current.run(until: Date(timeIntervalSinceNow: seconds))
        keepsGoing.invalidate()
      },
      Wait(testDescription: "a Timer of a run loop") {
        let timer = Timer(fire: Date(timeIntervalSinceNow: seconds), interval: 0, repeats: false) {
          _ in
        }
        RunLoop.current.add(timer, forMode: .default)
        while timer.isValid { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
      },
      Wait(testDescription: "a process with a limit") {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sleep")
        process.arguments = ["60"]
        try? process.run()
        let end = Date(timeIntervalSinceNow: seconds)
        while process.isRunning, Date() < end { Thread.sleep(forTimeInterval: 0.01) }
        // The process has the signal mask of this thread, which may block the one that asks it to end.
        kill(process.processIdentifier, SIGKILL)
      },
    ]

  private static let sleeps = [
    Wait(testDescription: "usleep", moves: exactly) { usleep(200_000) },
    Wait(testDescription: "nanosleep", moves: exactly) {
      var duration = timespec(tv_sec: 0, tv_nsec: 200_000_000)
      nanosleep(&duration, nil)
    },
    Wait(testDescription: "clock_nanosleep until", moves: exactly) {
      var limit = end(on: CLOCK_MONOTONIC)
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &limit, nil)
    },
    Wait(testDescription: "Thread.sleep(forTimeInterval:)") {
      Thread.sleep(forTimeInterval: seconds)
    },
    Wait(testDescription: "Thread.sleep(until:)") {
      Thread.sleep(until: Date(timeIntervalSinceNow: seconds))
    },
    Wait(testDescription: "poll", moves: exactly) { poll(nil, 0, 200) },
    Wait(testDescription: "select", moves: exactly) {
      var timeout = timeval(tv_sec: 0, tv_usec: 200_000)
      select(0, nil, nil, nil, &timeout)
    },
  ]

  private static let loops = [
    Wait(testDescription: "a loop that sleeps until a date") {
      let end = Date(timeIntervalSinceNow: seconds)
      while Date() < end { usleep(10_000) }
    },
    Wait(testDescription: "a loop that reads a clock") {
      let end = DispatchTime.now() + seconds
      while DispatchTime.now() < end {}
    },
  ]

  private static let conditions = [
    Wait(testDescription: "NSCondition") {
      let condition = NSCondition()
      condition.withLock { _ = condition.wait(until: Date(timeIntervalSinceNow: seconds)) }
    },
    Wait(testDescription: "NSConditionLock") {
      _ = NSConditionLock(condition: 0).lock(
        whenCondition: 1, before: Date(timeIntervalSinceNow: seconds))
    },
    Wait(testDescription: "sem_timedwait", moves: exactly) {
      var (semaphore, limit) = (sem_t(), end(on: CLOCK_REALTIME))
      sem_init(&semaphore, 0, 0)
      sem_timedwait(&semaphore, &limit)
    },
  ]

  /// The time of a clock at which the wait ends.
  private static func end(on clock: clockid_t) -> timespec {
    var now = timespec()
    clock_gettime(clock, &now)
    let nanoseconds = now.tv_nsec + 200_000_000
    return timespec(
      tv_sec: now.tv_sec + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
  }

  private static func waitForGroup(_ wait: (DispatchGroup) -> DispatchTimeoutResult) {
    let group = DispatchGroup()
    group.enter()
    _ = wait(group)
    group.leave()
  }

  private static func waitWithoutLimit(_ begin: (@escaping @Sendable () -> Void) -> Void) {
    let done = DispatchSemaphore(value: 0)
    begin { done.signal() }
    done.wait()
  }
}

/// Waits in real time of code whose clocks are virtual.
@Suite struct WaitsInAHoldTests {
  @Test(arguments: Wait.all, [0, 3_600])
  private func `a wait with a limit takes its time inside a hold`(
    wait: Wait, seconds: Int
  ) async throws {
    try await expectRealTime {
      try await withVirtualTime { time in
        try await Task.sleep(for: .seconds(seconds))
        let start = Date()
        await time.hold { expectClocksToMove(wait, movesSwiftClocks: true) }
        #expect(Date() == start)
        #expect(time.now.offset == .seconds(seconds))
      }
    }
  }

  @Test(arguments: Wait.all, [0, 3_600])
  private func `a wait with a limit takes its time where queues and threads are real`(
    wait: Wait, seconds: Int
  ) async throws {
    // As long as a wait may take beside other processes.
    let options = VirtualTimeOptions(queuesAndThreads: .real, blockLimit: .seconds(60))
    try await expectRealTime {
      try await withVirtualTime(options) { time in
        try await Task.sleep(for: .seconds(seconds))
        let start = Date()
        expectClocksToMove(wait, movesSwiftClocks: false)
        try await Task.sleep(for: .seconds(1))
        #expect(Date().timeIntervalSince(start) >= 1)
      }
    }
  }

  @Test func `the clocks of a hold stand while it waits without a limit`() async throws {
    try await withVirtualTime { time in
      let start = DispatchTime.now()
      await time.hold {
        let (done, group) = (DispatchSemaphore(value: 0), DispatchGroup())
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { done.signal() }
        done.wait()
        group.enter()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { group.leave() }
        group.wait()
        await withCheckedContinuation { done in
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { done.resume() }
        }
        #expect(moved(since: start) == .zero)
      }
    }
  }

  @Test func `the clocks of a hold move until its task suspends`() async throws {
    try await withVirtualTime { time in
      let start = DispatchTime.now()
      await time.hold {
        usleep(10_000)
        #expect(moved(since: start) == .milliseconds(10))
        await time.hold { _ = usleep(10_000) }
        #expect(moved(since: start) == .milliseconds(20))
        await Task.yield()
        #expect(moved(since: start) == .zero)
      }
    }
  }

  @Test func `a wait in a hold moves the clocks of no other task`() async throws {
    try await withVirtualTime { time in
      let start = DispatchTime.now()
      let immediate = Task.immediate {
        await time.hold {
          usleep(10_000)
          await Task.yield()
        }
      }
      #expect(moved(since: start) == .zero)
      #expect(await Waiting().othersMove(in: time) == .zero)
      await immediate.value
    }
  }

  @Test func `a sleep after a wait in real time is exact`() async throws {
    try await withVirtualTime(VirtualTimeOptions(queuesAndThreads: .real)) { time in
      usleep(10_000)
      try await Task.sleep(for: .seconds(1))
      #expect(time.now.offset == .seconds(1))
    }
  }

  @Test func `a task that outlives its hold is in virtual time`() async throws {
    try await withVirtualTime { time in
      let task = await time.hold {
        Task {
          try await Task.sleep(for: .seconds(1))
          sleep(60)
        }
      }
      try await task.value
      #expect(time.now.offset == .seconds(61))
    }
  }

  @Test func `a wait in a once-only initialiser does not move the clocks of its user`() async throws
  {
    try await withVirtualTime { _ in
      let start = DispatchTime.now()
      #expect(Waiting.initialised == 1)
      #expect(moved(since: start) == .zero)
    }
  }

  @Test func `a busy wait before a hold does not move the clocks of the hold`() async throws {
    try await withVirtualTime { time in
      try await Task.sleep(for: .seconds(365 * 86_400))
      let end = Date(timeIntervalSinceNow: 0.005)
      while Date() < end {}
      let start = DispatchTime.now()
      await time.hold { #expect(moved(since: start) == .zero) }
    }
  }

  @Test func `after a run loop has run in a hold, a sleep moves clocks by its duration`()
    async throws
  {
    try await withVirtualTime { time in await time.hold { sleepAfterRunLoop() } }
  }

  private func sleepAfterRunLoop() {
    let timer = Timer(fire: Date(timeIntervalSinceNow: 0.01), interval: 0, repeats: false) { _ in }
    RunLoop.current.add(timer, forMode: .default)
    while timer.isValid { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { done.signal() }
    done.wait()
    let start = DispatchTime.now()
    usleep(1_000)
    #expect(moved(since: start) == .milliseconds(1))
  }

  private func expectRealTime(_ body: () async throws -> Void) async rethrows {
    let start = ContinuousClock.now
    try await body()
    // Less if the machine's wall clock, by which some waits end, is set forward meanwhile.
    #expect(start.duration(to: .now) >= .seconds(Wait.seconds / 2))
  }

  private func expectClocksToMove(_ wait: Wait, movesSwiftClocks: Bool) {
    let (start, instant) = (DispatchTime.now(), ContinuousClock.now)
    wait.wait()
    #expect(wait.moves.contains(moved(since: start)))
    let movedOfSwift = instant.duration(to: .now)
    #expect(movesSwiftClocks ? wait.moves.contains(movedOfSwift) : movedOfSwift == .zero)
  }
}

private func moved(since start: DispatchTime) -> Duration {
  .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds) - Int64(start.uptimeNanoseconds))
}

private actor Waiting {
  static let initialised = {
    usleep(10_000)
    return 1
  }()

  /// How far a wait moves the clocks of a task that the actor's thread runs next.
  func othersMove(in time: VirtualTime) async -> Duration {
    let start = DispatchTime.now()
    let other = Task { moved(since: start) }
    await time.hold {
      usleep(10_000)
      await Task.yield()
    }
    return await other.value
  }
}
