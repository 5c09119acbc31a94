import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

/// Resumes a continuation from another thread.
private func foreignWork() async {
  await withCheckedContinuation { continuation in
    outside { continuation.resume() }
  }
}

private actor Worker {
  private(set) var readings: [Duration] = []
  private(set) var dates: [Date] = []

  func work(_ time: VirtualTime) async {
    await time.hold { await foreignWork() }
    note(time)
  }

  /// The code after the wake-up runs on the other thread.
  func workInside(_ time: VirtualTime) async throws {
    await time.hold {
      await foreignWork()
      note(time)
      #expect(VirtualTime.current?.id == time.id)
      #expect(await Task { VirtualTime.current?.id }.value == time.id)
    }
    note(time)
    try await Task.sleep(for: .seconds(1))
    note(time)
  }

  private func note(_ time: VirtualTime) {
    readings.append(time.now.offset)
    dates.append(Date())
  }
}

@Suite struct VirtualTimeHoldingTests {
  @Test(.virtualStandardClocks) func `time stands while work outside the scope is under way`()
    async throws
  {
    let log = Log<Duration>()
    try await withVirtualTime { time in
      let other = Task {
        for _ in 1...3 {
          try await Task.sleep(for: .seconds(1))
          log.noteTime()
        }
      }
      for _ in 0..<50 {
        await time.hold { await foreignWork() }
        #expect(time.now.offset == .zero)
      }
      #expect(log.count == 0)
      try await other.value
    }
    #expect(log.entries == [.seconds(1), .seconds(2), .seconds(3)])
  }

  @Test(.virtualStandardClocks) func `an actor that another thread has resumed reads virtual time`()
    async throws
  {
    try await withVirtualTime { time in
      let worker = Worker()
      await time.advance(by: .seconds(5))
      try await worker.workInside(time)
      #expect(await worker.readings == [.seconds(5), .seconds(5), .seconds(6)])
      #expect(
        await worker.dates == [5, 5, 6].map { Date(timeIntervalSince1970: 946_684_800 + $0) })
      await worker.work(time)
      #expect(time.now.offset == .seconds(6))
    }
  }

  @Test(.virtualStandardClocks) func `holds may overlap and nest`() async throws {
    let log = Log<Duration>()
    try await withVirtualTime { time in
      let sleeper = Task {
        try await Task.sleep(for: .seconds(1))
        log.noteTime()
      }
      await withTaskGroup { group in
        for _ in 0..<20 {
          group.addTask { await time.hold { await time.hold { await foreignWork() } } }
        }
        for await _ in group { #expect(time.now.offset == .zero) }
      }
      #expect(log.count == 0)
      try await sleeper.value
    }
  }

  @Test(.virtualStandardClocks)
  func `a hold returns what its body returns, and throws what it throws`() async throws {
    struct Failure: Error {}
    try await withVirtualTime { time in
      #expect(await time.hold { 7 } == 7)
      await #expect(throws: Failure.self) {
        try await time.hold { () async throws(Failure) in throw Failure() }
      }
      try await Task.sleep(for: .seconds(1))
      #expect(time.now.offset == .seconds(1))
    }
  }

  @Test(.virtualStandardClocks) func `an advance waits for a hold that opens during the advance`()
    async throws
  {
    let log = Log<String>()
    try await withVirtualTime { time in
      Task {
        try await Task.sleep(for: .seconds(1))
        await time.hold { await foreignWork() }
        log.note("held")
      }
      Task {
        try await Task.sleep(for: .seconds(1))
        log.note("other")
      }
      await time.advance(by: .seconds(2))
      #expect(log.entries == ["held at 1.0 seconds", "other at 1.0 seconds"])
    }
  }

  @Test func `settle waits until the last hold has ended`() async throws {
    try await withVirtualTime { time in
      let log = Log<Int>()
      Task {
        for number in 0..<5 {
          await time.hold { await foreignWork() }
          log.append(number)
        }
      }
      await time.settle()
      #expect(log.count == 5)
    }
  }

  @Test func `the body of a hold on the main actor stays on the main actor`() async throws {
    try await Self.holdOnMainActor()
  }

  @MainActor private static func holdOnMainActor() async throws {
    try await withVirtualTime { time in
      await time.hold {
        MainActor.assertIsolated()
        await foreignWork()
        MainActor.assertIsolated()
      }
      MainActor.assertIsolated()
      #expect(time.now.offset == .zero)
    }
  }

  @Test(.virtualStandardClocks)
  func `a hold covers a task from outside that resumes a task of the scope`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let outside = Task { for number in 0..<100 { continuation.yield(number) } }
    try await withVirtualTime { time in
      Task { try await Task.sleep(for: .seconds(1)) }
      let sum = await time.hold { await stream.prefix(100).reduce(0, +) }
      #expect(sum == 4950)
      #expect(time.now.offset == .zero)
      await time.run()
    }
    await outside.value
  }

  @Test(.virtualStandardClocks)
  func `many scopes with wake-ups from other threads are exact side by side`() async throws {
    for _ in 0..<2 {
      try await withThrowingTaskGroup { group in
        for number in 1...64 {
          group.addTask { try await Self.mixedScope(number) }
        }
        try await group.waitForAll()
      }
    }
  }

  private static func mixedScope(_ number: Int) async throws {
    try await withVirtualTime { time in
      let log = Log<Duration>()
      let worker = Worker()
      Task { @MainActor in
        for _ in 0..<3 {
          try await Task.sleep(for: .seconds(number))
          log.noteTime()
        }
      }
      Task.detached {
        for _ in 0..<3 {
          try await time.sleep(for: .seconds(number))
          await time.hold { await foreignWork() }
          log.noteTime()
        }
      }
      try await withThrowingTaskGroup { group in
        group.addTask { try await worker.workInside(time) }
        group.addTask {
          await time.hold { await foreignWork() }
          try await Task.sleep(for: .milliseconds(500))
        }
        try await group.waitForAll()
      }
      #expect(time.now.offset == .seconds(1))
      #expect(await worker.readings == [.zero, .zero, .seconds(1)])
      await time.advance(by: .seconds(3 * number))
      #expect(log.entries == [1, 1, 2, 2, 3, 3].map { .seconds($0 * number) })
    }
  }
}
