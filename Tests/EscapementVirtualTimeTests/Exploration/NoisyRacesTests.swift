import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

private struct LostUpdate: Error {}

private actor Counter {
  private(set) var count = 0
  func add() { count += 1 }
}

/// Unrelated work beside which two tasks race.
private enum Noise: CaseIterable {
  case tasks, sleepingTasks, tasksWithTimeLimits, tasksThatHold, blocks, threads

  func make(in group: inout TaskGroup<Void>, _ counter: Counter, _ time: VirtualTime) {
    switch self {
    case .tasks:
      group.addTask { for _ in 0..<4 { await counter.add() } }
    case .sleepingTasks:
      group.addTask {
        for _ in 0..<4 {
          await counter.add()
          try? await Task.sleep(for: .milliseconds(1))
        }
      }
    case .tasksWithTimeLimits:
      group.addTask {
        await withTaskGroup { limited in
          limited.addTask { await counter.add() }
          limited.addTask { try? await Task.sleep(for: .seconds(1)) }
          await limited.next()
          limited.cancelAll()
        }
      }
    case .tasksThatHold:
      group.addTask { await time.hold { await counter.add() } }
    case .blocks:
      group.addTask {
        await withCheckedContinuation { done in
          DispatchQueue.global().async { done.resume() }
        }
      }
    case .threads:
      group.addTask {
        await withCheckedContinuation { done in
          Thread.detachNewThread { done.resume() }
        }
      }
    }
  }
}

@Suite(.virtualStandardClocks) struct NoisyRacesTests {
  @Test(arguments: Noise.allCases)
  fileprivate func `a race stays small beside unrelated work`(noise: Noise) async throws {
    let exploration = ExplorationOptions(shrinkLimit: 300)
    let report = try await withExploration(300, exploration, options: .reaching) { time in
      let (account, counter) = (Account(), Counter())
      await withTaskGroup { group in
        for index in 0..<40 {
          noise.make(in: &group, counter, time)
          guard index == 20 else { continue }
          for _ in 0..<2 {
            group.addTask {
              let before = await account.balance
              await account.set(before + 1)
            }
          }
        }
      }
      guard await account.balance == 2 else { throw LostUpdate() }
    }
    let failure = try #require(report.failure)
    #expect(failure.messages == ["LostUpdate()"])
    #expect(failure.schedule.overtakings.count <= 2, "\(failure)")
  }
}
