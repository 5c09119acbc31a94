import EscapementVirtualTime
import TestSupport
import Testing
import _EscapementCore

private actor OwnThread {
  private nonisolated let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var count = 0

  func runScope() async throws -> Duration {
    try await withVirtualTime { time in
      self.assertIsolated()
      try #require(VirtualTime.current?.id == time.id)
      try await Task.sleep(for: .seconds(1))
      self.count += 1
      async let child: Void = Task.sleep(for: .seconds(1))
      try await child
      await time.hold { await resumedByForeignThread() }
      let task = Task {
        self.count += 1
        try await Task.sleep(for: .seconds(5))
      }
      await time.advance(by: .seconds(5))
      try await task.value
      self.assertIsolated()
      return time.now.offset
    }
  }

  func nested() async throws {
    try await withVirtualTime { _ in }
  }
}

@SharedActor private func nestedOnShared() async throws { try await withVirtualTime { _ in } }

/// Code of one scope, or of the outside, that meets another scope.
@Suite(.virtualStandardClocks) struct AcrossScopesTests {
  @Test func `a body on an actor with an executor of its own is exact`() async throws {
    let shared = OwnThread()
    try await withThrowingTaskGroup { group in
      for _ in 0..<10 {
        group.addTask { try await OwnThread().runScope() }
        group.addTask { try await shared.runScope() }
      }
      for try await elapsed in group { #expect(elapsed == .seconds(7)) }
    }
  }

  @Test func `a scope inside a scope is refused wherever the code runs`() async throws {
    try await withVirtualTime { _ in
      await #expect(throws: VirtualTimeError.nestedScope) { try await OwnThread().nested() }
      await #expect(throws: VirtualTimeError.nestedScope) { try await nestedOnShared() }
      await #expect(throws: VirtualTimeError.nestedScope) {
        try await Task { @MainActor in try await withVirtualTime { _ in } }.value
      }
      await #expect(throws: VirtualTimeError.nestedScope) {
        try await Task.immediate { try await withVirtualTime { _ in } }.value
      }
    }
  }

  @Test func `an outside task begins a scope of its own when a scope asks it to`() async throws {
    let (requests, ask) = AsyncStream.makeStream(of: UnsafeContinuation<Duration, Never>.self)
    let outside = Task.detached {
      for await request in requests {
        let elapsed = try await withVirtualTime { time in
          try await Task.sleep(for: .seconds(3))
          return time.now.offset
        }
        request.resume(returning: elapsed)
      }
    }
    try await withVirtualTime { time in
      for _ in 0..<50 {
        let elapsed = await time.hold { await withUnsafeContinuation { ask.yield($0) } }
        #expect(elapsed == .seconds(3))
      }
      #expect(time.now.offset == .zero)
    }
    ask.finish()
    try await outside.value
  }

  @Test func `the outside awaits a task of a scope`() async throws {
    for _ in 0..<100 {
      let handed = Log<Task<Duration, any Error>>()
      let begun = Signal()
      async let value: Duration = {
        await begun.wait()
        return try await handed.entries[0].value
      }()
      try await withVirtualTime { time in
        let task = Task {
          try await Task.sleep(for: .seconds(7))
          return time.now.offset
        }
        handed.append(task)
        begun.send()
        try await Task.sleep(for: .seconds(8))
      }
      #expect(try await value == .seconds(7))
      #expect(VirtualTime.current == nil)
    }
  }

  @Test func `a scope awaits a task of another scope under hold`() async throws {
    for _ in 0..<50 {
      let handed = Log<Task<Duration, any Error>>()
      let (begun, done) = (Signal(), Signal())
      async let first: Void = withVirtualTime { time in
        handed.append(
          Task {
            try await Task.sleep(for: .seconds(7))
            return time.now.offset
          })
        begun.send()
        await time.hold { await done.wait() }
        try await Task.sleep(for: .seconds(8))
      }
      await begun.wait()
      try await withVirtualTime { time in
        let task = handed.entries[0]
        async let value = time.hold { try await task.value }
        done.send()
        let length = try await value
        #expect(length == .seconds(7))
        #expect(time.now.offset == .zero)
        #expect(VirtualTime.current?.id == time.id)
        try await Task.sleep(for: .seconds(1))
        #expect(time.now.offset == .seconds(1))
      }
      try await first
    }
  }

  @Test func `a stream from one scope into another keeps both exact`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    async let producer: Void = withVirtualTime { time in
      for number in 1...500 {
        try await Task.sleep(for: .seconds(1))
        #expect(time.now.offset == .seconds(number))
        continuation.yield(number)
      }
      continuation.finish()
    }
    try await withVirtualTime { time in
      var sum = 0
      await time.hold { for await number in stream { sum += number } }
      #expect(sum == 500 * 501 / 2)
      #expect(time.now.offset == .zero)
      #expect(VirtualTime.current?.id == time.id)
    }
    try await producer
  }
}
