import EscapementVirtualTime
import TestSupport
import Testing

/// An actor whose every job puts the next one into its mailbox.
private actor Spinner {
  private var isStopped = false
  private var left: Int

  /// Stops by itself after so many rounds, so that no test hangs.
  init(atMost rounds: Int) { left = rounds }

  func spin() {
    left -= 1
    guard left > 0, !isStopped else { return }
    Task { self.spin() }
  }

  func stop() { isStopped = true }
}

@Suite(.virtualStandardClocks) struct SpinningActorTests {
  @Test(.timeLimit(.minutes(60)))
  func `an actor that never runs out of work of its own is reported as endless`() async throws {
    let spinner = Spinner(atMost: 100_000)
    let issues = await issues {
      await #expect(throws: (any Error).self) {
        try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore, jobLimit: 1_000)) { _ in
          await spinner.spin()
          try await Task.sleep(for: .seconds(1))
        }
      }
    }
    await spinner.stop()
    #expect(issues.first?.message.contains("is endless: 1000 jobs have run") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  // In a process of its own, which it leaves with a thread less.
  @Test(.timeLimit(.minutes(60)), .takingTurns)
  func `a task that goes from actor to actor for ever is reported as endless`() async throws {
    await #expect(processExitsWith: .success) {
      let (here, there) = (Turns(), Turns())
      let issues = await issues {
        await #expect(throws: (any Error).self) {
          try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore, jobLimit: 1_000)) { _ in
            Task { while await here.take(), await there.take() {} }
            try await Task.sleep(for: .seconds(1))
          }
        }
      }
      await here.stop()
      #expect(issues.first?.message.contains("is endless") == true)
      try await checkThatAnOrdinaryScopeWorks()
    }
  }

  // In real time, another thread runs the ready task.
  @Test func `a loop that asks an actor lets ready tasks run`() async throws {
    let state = State()
    let rounds = try await withVirtualTime { _ in
      let task = Task { await state.change() }
      var rounds = 0
      while await !state.hasChanged { rounds += 1 }
      await task.value
      return rounds
    }
    #expect(rounds > 0)
  }

  @Test(arguments: [
    ExplorationStrategy.byTurns, .newPairsFirst, .uniform, .random, .probabilistic(depth: 2),
  ])
  func `a loop that asks an actor lets ready tasks run under each schedule`(
    strategy: ExplorationStrategy
  ) async throws {
    let report = try await withExploration(5, .init(strategy: strategy)) { _ in
      let state = State()
      let task = Task { await state.change() }
      // Without the counting, the body would not leave the actor, and would hang in real time as well.
      var rounds = 0
      while await !state.hasChanged { rounds += 1 }
      await task.value
    }
    #expect(report.failure == nil, "\(report)")
  }

  // In the first runs, no strategy follows from others.
  @Test(arguments: [ExplorationStrategy.byTurns, .newPairsFirst, .uniform])
  func `tasks that ask an actor in turns do not keep another one from changing it`(
    strategy: ExplorationStrategy
  ) async throws {
    let report = try await withExploration(150, .init(strategy: strategy)) { _ in
      let state = State()
      let done = Log<Void>()
      await withTaskGroup { group in
        group.addTask { while done.count < 6 { await Task.yield() } }
        for _ in 0..<5 {
          group.addTask {
            while await !state.hasChanged { await Task.yield() }
            done.append(())
          }
        }
        group.addTask {
          await state.change()
          done.append(())
        }
      }
    }
    #expect(report.failure == nil, "\(report)")
    #expect(report.decisionPoints < 1_000 * report.schedulesTried)
  }

  @Test(arguments: [
    ExplorationStrategy.byTurns, .newPairsFirst, .uniform, .random, .probabilistic(depth: 2),
  ])
  func `a task that sleeps for no time in a loop lets others run`(
    strategy: ExplorationStrategy
  ) async throws {
    let report = try await withExploration(500, .init(strategy: strategy)) { _ in
      let state = State()
      try await withThrowingTaskGroup { group in
        group.addTask { while await !state.hasChanged { try await Task.sleep(for: .zero) } }
        group.addTask { await state.change() }
        try await group.waitForAll()
      }
    }
    #expect(report.failure == nil, "\(report)")
  }
}

private actor State {
  private(set) var hasChanged = false

  func change() { hasChanged = true }
}

/// Gives so many turns, so that no test hangs.
private actor Turns {
  private var left = 100_000

  /// Returns whether there are more.
  func take() -> Bool {
    left -= 1
    return left > 0
  }

  func stop() { left = 0 }
}
