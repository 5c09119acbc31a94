import TestSupport
import Testing
import _EscapementCore

@testable import Escapement

@Suite struct RateLimiterStateMachineTests {
  /// A limiter, its launcher and its callers, on one thread.
  ///
  /// The pool holds the next steps of all of them. A generator draws from it, so that the steps happen
  /// in every possible order.
  private struct World {
    static let rate = 10
    enum Step {
      case run(Int)
      case runFlushed(Int)
      case callLauncher
      case endCall
      case tick(period: Int)
      case takeDue
    }

    var machine = RateLimiterStateMachine<Int>()
    var pool: [Step] = []
    var now = 0
    // The state of the launcher.
    var period = 0
    var nextTick: Int?
    // The results.
    var runs: [(time: Int, action: Int)] = []
    var newest: Int?
    var log: [String] = []

    mutating func execute(_ action: Int) {
      log.append("\(now) execute \(action)")
      newest = action
      if let action = machine.execute(action) { pool.append(.run(action)) }
    }

    mutating func cancel() {
      log.append("\(now) cancel")
      machine.cancel()
      // An action that has begun cannot be cancelled. A kept action does not run after the
      // cancellation.
      let hasBegun = pool.contains {
        switch $0 {
        case .run(newest), .runFlushed(newest): true
        default: false
        }
      }
      if !hasBegun { newest = nil }
    }

    mutating func flush() {
      log.append("\(now) flush")
      if let action = machine.flush() { pool.append(.runFlushed(action)) }
      pool.append(.callLauncher)
    }

    mutating func ran(_ action: Int) {
      log.append("\(now) ran \(action)")
      runs.append((now, action))
      if newest == action { newest = nil }
    }

    mutating func perform(_ step: Step) {
      switch step {
      case .run(let action):
        ran(action)
        machine.didRun()
        pool.append(.callLauncher)
      case .runFlushed(let action):
        ran(action)
        machine.didFlush()
        pool.append(.callLauncher)
      case .callLauncher:
        switch machine.launcher.beginCall() {
        case .start:
          if nextTick == nil {
            period += 1
            nextTick = now + Self.rate
          }
          pool.append(.endCall)
        case .stop:
          nextTick = nil
          period += 1
          pool.append(.endCall)
        case .restartInterval:
          if nextTick != nil { nextTick = now + Self.rate }
          pool.append(.endCall)
        case nil: break
        }
      case .endCall:
        machine.launcher.endCall()
        pool.append(.callLauncher)
      case .tick(period):
        machine.tick()
        pool += [.callLauncher, .takeDue]
      case .tick:
        // The launcher was stopped, which has cancelled this run.
        break
      case .takeDue:
        if let action = machine.takeDue(ifPossible: { _ in true }) {
          ran(action)
          machine.didRunDue()
          pool.append(.callLauncher)
        }
      }
    }

    /// Performs all steps of this instant, in a random order.
    ///
    /// Actions whose actor is busy run later, in `advance`.
    mutating func settle(isBusy: Bool = false, using generator: inout SplitMix64) {
      var delayed: [Step] = []
      while !pool.isEmpty {
        let step = pool.remove(at: Int.random(in: pool.indices, using: &generator))
        switch step {
        case .run, .runFlushed, .takeDue:
          if isBusy { delayed.append(step) } else { perform(step) }
        default:
          perform(step)
        }
      }
      pool = delayed
    }

    /// Whether a tick waits for a busy actor, so that the launcher does not tick again.
    private var isTicking: Bool {
      pool.contains { if case .takeDue = $0 { true } else { false } }
    }

    mutating func advance(
      to time: Int, whileBusy isBusy: Bool = false, using generator: inout SplitMix64
    ) {
      settle(isBusy: isBusy, using: &generator)
      while let tick = nextTick, tick <= time {
        now = max(now, tick)
        nextTick = tick + Self.rate
        // A launcher whose run has not ended misses the tick.
        if isTicking { continue }
        pool.append(.tick(period: period))
        settle(isBusy: isBusy, using: &generator)
      }
      now = time
    }
  }

  @Test func `at most one action runs per interval, and the last one always runs`() {
    forAllSeeds { generator in
      var world = World()
      for action in 0..<Int.random(in: 1...20, using: &generator) {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5: world.execute(action)
        case 5: world.cancel()
        case 6:
          // Some of the steps in the pool are performed.
          if let step = world.pool.popLast() { world.perform(step) }
        default:
          let time = world.now + Int.random(in: 0...15, using: &generator)
          world.advance(to: time, whileBusy: .random(using: &generator), using: &generator)
        }
      }
      world.advance(to: world.now + 100, using: &generator)

      for (run, next) in zip(world.runs, world.runs.dropFirst()) {
        try require(next.time - run.time >= World.rate, "\(run) and \(next), \(world.log)")
        try require(next.action > run.action, "out of order, \(world.log)")
      }
      try require(world.newest == nil, "\(world.newest!) has not run, \(world.log)")
      try require(world.nextTick == nil, "the launcher is still active, \(world.log)")
    }
  }

  @Test func `a flush begins a new interval`() {
    forAllSeeds { generator in
      var world = World()
      var lastFlush = -World.rate
      for action in 0..<Int.random(in: 1...20, using: &generator) {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5: world.execute(action)
        case 5:
          world.settle(using: &generator)
          let count = world.runs.count
          world.flush()
          world.settle(using: &generator)
          if world.runs.count > count { lastFlush = world.now }
        default:
          let time = world.now + Int.random(in: 0...15, using: &generator)
          let count = world.runs.count
          world.advance(to: time, using: &generator)
          if let next = world.runs.dropFirst(count).first {
            try require(next.time - lastFlush >= World.rate, "\(next), \(world.log)")
          }
        }
      }
      world.advance(to: world.now + 100, using: &generator)
      try require(world.newest == nil, "\(world.newest!) has not run, \(world.log)")
      try require(world.nextTick == nil, "the launcher is still active, \(world.log)")
    }
  }

  @Test func `a newer action replaces a due one`() {
    var machine = RateLimiterStateMachine<String>()
    _ = machine.execute("first")
    _ = machine.execute("old")
    machine.tick()
    #expect(machine.due == "old")
    _ = machine.execute("new")
    #expect(machine.takeDue { _ in true } == "new")
  }

  @Test func `a due action that has been flushed cannot be taken`() {
    var machine = RateLimiterStateMachine<String>()
    _ = machine.execute("first")
    _ = machine.execute("kept")
    machine.tick()
    #expect(machine.flush() == "kept")
    // This action belongs to the interval that the flush has begun.
    _ = machine.execute("later")
    #expect(machine.takeDue { _ in true } == nil)
  }

  @Test func `an action that has to run on another actor stays kept`() {
    var machine = RateLimiterStateMachine<String>()
    _ = machine.execute("first")
    _ = machine.execute("kept")
    machine.tick()
    #expect(machine.takeDue { _ in false } == nil)
    #expect(machine.takeDue { _ in true } == "kept")
    #expect(machine.takeDue { _ in true } == nil)
  }

  @Test func `calls of the launcher never overlap, and the last request wins`() {
    var requests = LauncherRequests()
    #expect(requests.beginCall() == nil)
    requests.requestStart()
    #expect(requests.beginCall() == .start)
    requests.requestStop()
    #expect(requests.beginCall() == nil)
    requests.requestStart()
    requests.endCall()
    #expect(requests.beginCall() == .stop)
    requests.endCall()
    #expect(requests.beginCall() == .start)
    requests.requestRestart()
    requests.requestIntervalRestart()
    requests.requestStop()
    requests.endCall()
    #expect(requests.beginCall() == .stop)
    requests.endCall()
    #expect(requests.beginCall() == nil)
  }
}
