import BenchmarkSupport
import EscapementVirtualTime

/// Many scopes side by side, beside tasks in real time.
struct Crowd {
  private static let sideBySide = 64

  let scopes: Int

  /// - Returns: How many scopes, and sleeps in real time, went wrong.
  @concurrent func run() async -> Int {
    let tally = Tally("\(Self.sideBySide) scopes side by side", of: scopes)
    let realTime = RealTime()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { await realTime.checkUntilStopped() } }
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<scopes {
          if index >= Self.sideBySide { await group.next() }
          group.addTask { await tally.count { try await Resident(index).complaints() } }
        }
      }
      realTime.stop()
    }
    return tally.finish() + realTime.finish()
  }
}
