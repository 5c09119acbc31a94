import BenchmarkSupport
import Dispatch
import EscapementVirtualTime
import Foundation

/// One scope of many, with work of all kinds in it.
struct Resident {
  private let seconds: Int

  /// Creates a scope whose durations differ from its neighbours', so that it would notice theirs.
  init(_ index: Int) { seconds = 1 + index % 7 }

  private var unit: Duration { .seconds(seconds) }

  @concurrent func complaints() async throws -> [String] {
    try await withVirtualTime { time in
      var expectations = Expectations()
      let start = StandardClocks()
      let model = await TimerModel { try await Task.sleep(for: $0) }
      await model.start()
      await expectations.expect(MainActorTurn.isExclusive(), "two are on the main actor at once")

      let recorder = Recorder()
      detachTasks(recorder)
      try await Task.sleep(for: unit * 8 + .milliseconds(500))
      await expectations.expect(model.count, is: 8 * seconds, "the model's count")
      await expectations.expect(recorder.order, is: [7, 6, 5, 4, 3, 2, 1, 0], "the actor's order")
      expectations.expect(unit * 8 + .milliseconds(500), since: start)

      await holdForOthers(time, recorder)
      await expectations.expect(recorder.wakeUps, is: 8, "the actor's wake-ups")
      await expectations.expect(model.count, is: 8 * seconds, "the model's count after the holds")
      expectations.expect(unit * 8 + .milliseconds(500), since: start)

      let sum = await runGroup()
      expectations.expect(sum, is: 190, "the group's sum")
      expectations.expect(unit * 27 + .milliseconds(500), since: start)

      await model.stop()
      expectations.expect(VirtualTime.current?.id == time.id, "it has become another scope")
      return expectations.complaints
    }
  }

  private func detachTasks(_ recorder: Recorder) {
    for index in 0..<8 {
      Task.detached {
        try await Task.sleep(for: unit * (8 - index))
        await recorder.record(index)
      }
    }
  }

  /// Time stands, while other threads wake tasks of the scope, inside an actor and outside.
  private func holdForOthers(_ time: VirtualTime, _ recorder: Recorder) async {
    await withTaskGroup { group in
      for index in 0..<8 {
        group.addTask {
          await time.hold { await foreignWakeUp(after: .microseconds(20 * index)) }
          await recorder.waitForOthers(time, .microseconds(20 * index))
        }
      }
    }
  }

  private func runGroup() async -> Int {
    await withTaskGroup(of: Int.self) { group in
      for index in 0..<20 {
        group.addTask {
          try? await Task.sleep(for: unit * index)
          await Task.yield()
          return index
        }
      }
      return await group.reduce(0, +)
    }
  }
}

private actor Recorder {
  private(set) var order: [Int] = []
  private(set) var wakeUps = 0

  func record(_ index: Int) { order.append(index) }

  func waitForOthers(_ time: VirtualTime, _ delay: Duration) async {
    await time.hold { await foreignWakeUp(after: delay) }
    wakeUps += 1
  }
}

/// Suspends until a thread that the scope does not know wakes the task.
private nonisolated(nonsending) func foreignWakeUp(after delay: Duration) async {
  await withCheckedContinuation { continuation in
    // Not `asyncAfter`: the deadline would be computed from the scope's time.
    DispatchQueue.global().async {
      Thread.sleep(forTimeInterval: delay.seconds)
      continuation.resume()
    }
  }
}

extension Expectations {
  fileprivate mutating func expect(_ duration: Duration, since start: StandardClocks) {
    for (clock, elapsed) in StandardClocks().elapsed(since: start) {
      expect(elapsed, is: duration, "the time by \(clock)")
    }
  }
}
