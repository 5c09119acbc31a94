import TestSupport
import Testing

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
      // A first action cannot be cancelled. A kept action does not run after the cancellation.
      if !pool.contains(where: { if case .run(newest) = $0 { true } else { false } }) {
        newest = nil
      }
    }

    mutating func flush() {
      log.append("\(now) flush")
      if let action = machine.flush() { ran(action) }
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
        if let action = machine.takeDue(ifPossible: { _ in true }) { ran(action) }
      }
    }

    /// Performs all steps of this instant, in a random order, and then moves to the next tick.
    mutating func settle(using generator: inout SplitMix) {
      while !pool.isEmpty {
        perform(pool.remove(at: Int.random(in: pool.indices, using: &generator)))
      }
    }

    mutating func advance(to time: Int, using generator: inout SplitMix) {
      settle(using: &generator)
      while let tick = nextTick, tick <= time {
        now = tick
        pool.append(.tick(period: period))
        nextTick = tick + Self.rate
        settle(using: &generator)
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
          world.advance(to: time, using: &generator)
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
    requests.requestStop()
    requests.endCall()
    #expect(requests.beginCall() == .stop)
    requests.endCall()
    #expect(requests.beginCall() == nil)
  }
}
