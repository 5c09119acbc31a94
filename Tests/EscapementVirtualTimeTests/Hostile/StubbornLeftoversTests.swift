import EscapementVirtualTime
import TestSupport
import Testing

private actor Sleeper {
  private var wakeUps = 0

  /// Ignores that it is cancelled, and never suspends from then on.
  func napForEver(until flag: Flag) async {
    while !flag.isSet {
      try? await Task.sleep(for: .seconds(1))
      wakeUps += 1
    }
  }
}

/// Scopes whose leftovers never come to their end.
@Suite(.virtualStandardClocks) struct StubbornLeftoversTests {
  private let options = VirtualTimeOptions(leftovers: .ignore, stallLimit: .milliseconds(20))

  @Test(.timeLimit(.minutes(60)))
  func `an actor whose loop ignores its cancellation does not keep the scope`() async throws {
    let flag = Flag()
    try await withVirtualTime(options) { _ in
      Task { await Sleeper().napForEver(until: flag) }
      try await Task.sleep(for: .seconds(10))
    }
    flag.set()
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.timeLimit(.minutes(60)))
  func `a loop on the main actor that ignores its cancellation does not keep the process`()
    async throws
  {
    let flag = Flag()
    try await withVirtualTime(options) { _ in
      Task { @MainActor in
        while !flag.isSet { try? await Task.sleep(for: .seconds(1)) }
      }
      try await Task.sleep(for: .seconds(10))
    }
    flag.set()
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.timeLimit(.minutes(60)))
  func `ten scopes with such loops end side by side`() async throws {
    let flag = Flag()
    try await withThrowingTaskGroup { group in
      for _ in 0..<10 {
        group.addTask {
          try await withVirtualTime(options) { _ in
            Task { while !flag.isSet { try? await Task.sleep(for: .seconds(1)) } }
            Task { await Sleeper().napForEver(until: flag) }
            try await Task.sleep(for: .seconds(10))
          }
        }
      }
      try await group.waitForAll()
    }
    flag.set()
    try await checkThatAnOrdinaryScopeWorks()
  }
}
