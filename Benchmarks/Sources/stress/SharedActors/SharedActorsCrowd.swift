import BenchmarkSupport
import EscapementVirtualTime
import Foundation
import Synchronization

/// Scopes side by side that share actors with each other and with the outside.
struct SharedActorsCrowd {
  private static let sideBySide = 64

  let rounds: Int

  /// - Returns: How many rounds, and checks outside, went wrong.
  @concurrent func run() async -> Int {
    let inside = Tally("\(Self.sideBySide) scopes that share actors, inside", of: rounds)
    let outside = SharedActorsOutside()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { await outside.checkUntilStopped() } }
      await withTaskGroup(of: Void.self) { group in
        // Two neighbours have an actor to themselves, as long as they are side by side.
        var pair = SharedActor()
        for index in 0..<rounds {
          if index >= Self.sideBySide { await group.next() }
          if index.isMultiple(of: 2) { pair = SharedActor() }
          let guest = SharedActorsGuest(index, pair: pair, withOutside: outside.actor)
          group.addTask { await inside.count { try await guest.complaints() } }
        }
      }
      outside.stop()
    }
    return inside.finish() + outside.finish()
  }
}

/// One scope of them.
struct SharedActorsGuest {
  /// In milliseconds; differs from the neighbours', so that theirs would be noticed.
  private let unit: Int
  private let actors: [any Napping]

  init(_ index: Int, pair: SharedActor, withOutside outside: SharedActor) {
    unit = 1_000 + index % 97
    actors = [FirstActor.shared, SecondActor.shared, pair, ThreadActor.shared, outside]
  }

  @concurrent func complaints() async throws -> [String] {
    let start = ContinuousClock.now
    var expectations = try await withVirtualTime { time in
      var expectations = Expectations()
      try await Task.sleep(for: .milliseconds(unit))
      try await napOnAllActors(time, &expectations)
      try await cancelNaps(time, &expectations)
      expectations.expect(
        time.now.offset, is: .milliseconds(unit * (1 + 3 * actors.count) + 2 * unit),
        "the time at the end")
      return expectations
    }
    expectations.expect(VirtualTime.current == nil, "the caller is still in a scope")
    expectations.expect(start.duration(to: .now) < .seconds(600), "the caller's clock is virtual")
    return expectations.complaints
  }

  /// Three tasks for each actor, which sleep one after the other.
  private func napOnAllActors(
    _ time: VirtualTime, _ expectations: inout Expectations
  ) async throws {
    let unit = unit
    let start = time.now
    let naps = try await withThrowingTaskGroup { group in
      for (number, actor) in actors.enumerated() {
        for turn in 0..<3 {
          group.addTask {
            try await Task.sleep(for: .milliseconds(unit * (3 * number + turn)))
            return try await actor.nap(.milliseconds(unit))
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for nap in naps {
      expectations.expect(nap.length, is: .milliseconds(unit), "a sleep on a shared actor")
      expectations.expect(nap.scopes == [time.id, time.id], "an actor's code is in another scope")
      expectations.expect(
        nap.begin.timeIntervalSince1970 < 1_000_000_000, "an actor's code reads \(nap.begin)")
    }
    expectations.expect(
      start.duration(to: time.now), is: .milliseconds(3 * actors.count * unit), "all sleeps")
  }

  /// Sleeps that are cancelled do not cut short those that are not.
  private func cancelNaps(_ time: VirtualTime, _ expectations: inout Expectations) async throws {
    let unit = unit
    let cancelled = actors.map { actor in
      Task { try await actor.nap(.milliseconds(1_000 * unit)) }
    }
    let others = actors.map { actor in Task { try await actor.nap(.milliseconds(2 * unit)) } }
    try await Task.sleep(for: .milliseconds(unit))
    for task in cancelled { task.cancel() }
    for task in cancelled {
      if case .success = await task.result { expectations.expect(false, "a cancelled sleep ended") }
    }
    for task in others {
      expectations.expect(
        try await task.value.length, is: .milliseconds(2 * unit), "a sleep beside cancelled ones")
    }
  }
}
