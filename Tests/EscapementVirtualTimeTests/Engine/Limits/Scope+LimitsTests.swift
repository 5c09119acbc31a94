import Dispatch
import EscapementVirtualTime
import TestSupport
import Testing

private let impatient = Duration.milliseconds(20)

@Suite struct ScopeLimitsTests {
  // MARK: Jobs in a hold

  @Test func `a loop that yields while real work holds time may go on beyond the limit of jobs`()
    async throws
  {
    try await withVirtualTime(VirtualTimeOptions(jobLimit: 100)) { time in
      await time.hold { for _ in 0..<1_000 { await Task.yield() } }
    }
  }

  @Test func `a loop that yields in a hold for ever is reported as endless`() async {
    let issues = await issues {
      await #expect(throws: VirtualTimeError.limitReached) {
        try await withVirtualTime(VirtualTimeOptions(jobLimit: 100)) { time in
          await time.hold { while !Task.isCancelled { await Task.yield() } }
          try Task.checkCancellation()
        }
      }
    }
    #expect(issues.first?.message.contains("is endless: 10000 jobs") == true)
  }

  // MARK: Stuck

  @Test(.virtualStandardClocks)
  func `a body that waits for ever is cancelled, and the reason reported at the call`()
    async throws
  {
    var line = 0
    let issues = await issues {
      line = #line + 1  // inside a macro, every line is the macro's
      await #expect(throws: VirtualTimeError.limitReached) {
        try await withVirtualTime(VirtualTimeOptions(stallLimit: impatient)) { time in
          try await Task.sleep(for: .seconds(3))
          try await untilCancelled()
        }
      }
    }
    #expect(issues.map(\.line) == [line])
    let message = try #require(issues.first?.message)
    #expect(message.contains("is stuck at +3.0 seconds"))
    #expect(message.contains("0.02 seconds of real time"))
    #expect(message.contains("hold { }"))
    #expect(issues.allSatisfy { !$0.isWarning })
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks)
  func `a stuck body that makes the best of its cancellation returns its result`()
    async throws
  {
    let issues = try await issues {
      let result = try await withVirtualTime(VirtualTimeOptions(stallLimit: impatient)) { _ in
        try? await untilCancelled()
        return 7
      }
      #expect(result == 7)
    }
    #expect(issues.count == 1)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks) func `a stuck body that ignores its cancellation is given up`()
    async throws
  {
    let issues = await issues {
      await #expect(throws: VirtualTimeError.bodyGivenUp) {
        try await withVirtualTime(VirtualTimeOptions(stallLimit: impatient)) { _ in
          await neverResumed()
          Issue.record("The body was not resumed.")
        }
      }
    }
    #expect(issues.count >= 1)
    #expect(issues.first?.message.contains("is stuck at") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks)
  func `one that was given up can be resumed later, and nothing happens`() async throws {
    let log = Log<UnsafeContinuation<Void, Never>>()
    _ = await issues {
      await #expect(throws: VirtualTimeError.bodyGivenUp) {
        try await withVirtualTime(VirtualTimeOptions(stallLimit: impatient)) { _ in
          await withUnsafeContinuation { log.append($0) }
          Issue.record("the scope has ended")
        }
      }
    }
    log.entries.first?.resume()
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks) func `the report lists who else waits, and since when`()
    async throws
  {
    let issues = await issues {
      await #expect(throws: VirtualTimeError.limitReached) {
        try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore, stallLimit: impatient)) {
          _ in
          Task(name: "guest") {
            try await Task.sleep(for: .seconds(1))
            try await Task.sleep(for: .seconds(Int64.max))
          }
          Task { try await untilCancelled() }
          try await untilCancelled()
        }
      }
    }
    let message = try #require(issues.first?.message)
    #expect(message.contains("“guest”, asleep since +1.0 seconds for ever"))
    #expect(message.contains("which waits for the next element of a stream"))
  }

  @Test(.virtualStandardClocks)
  func `the report of a manual scope whose body sleeps says that no code moves time`() async throws
  {
    let issues = await issues {
      await #expect(throws: VirtualTimeError.limitReached) {
        try await withVirtualTime(VirtualTimeOptions(mode: .manual, stallLimit: impatient)) { _ in
          try await Task.sleep(for: .seconds(1))
        }
      }
    }
    let message = try #require(issues.first?.message)
    #expect(message.contains("Time is moved by hand"))
    #expect(message.contains("asleep since +0.0 seconds until +1.0 seconds"))
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks) func `many stuck scopes at once take no longer than one`()
    async throws
  {
    let issues = await issues {
      await withTaskGroup { group in
        for _ in 0..<50 {
          group.addTask {
            await #expect(throws: VirtualTimeError.limitReached) {
              try await withVirtualTime(VirtualTimeOptions(stallLimit: impatient)) { _ in
                try await untilCancelled()
              }
            }
          }
        }
      }
    }
    #expect(issues.count == 50)
    try await checkThatAnOrdinaryScopeWorks()
  }

  // MARK: Held

  @Test(.virtualStandardClocks)
  func `a hold that is never closed is reported, and the body cancelled`() async throws {
    var line = 0
    let issues = await issues {
      line = #line + 1  // inside a macro, every line is the macro's
      await #expect(throws: VirtualTimeError.limitReached) {
        try await withVirtualTime(VirtualTimeOptions(holdLimit: impatient)) { time in
          try await Task.sleep(for: .seconds(2))
          try await time.hold { try await untilCancelled() }
        }
      }
    }
    #expect(issues.map(\.line) == [line])
    let message = try #require(issues.first?.message)
    #expect(message.contains("is held at +2.0 seconds for more than 0.02 seconds"))
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks) func `a hold that ignores cancellation is given up`() async throws {
    let issues = await issues {
      await #expect(throws: VirtualTimeError.bodyGivenUp) {
        try await withVirtualTime(VirtualTimeOptions(holdLimit: impatient)) { time in
          await time.hold { await neverResumed() }
        }
      }
    }
    #expect(issues.first?.message.contains("is held at") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  // MARK: Endless

  @Test(.virtualStandardClocks) func `a loop that yields for ever is reported with its name`()
    async throws
  {
    var line = 0
    let issues = await issues {
      line = #line + 1  // inside a macro, every line is the macro's
      await #expect(throws: VirtualTimeError.limitReached) {
        try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore, jobLimit: 1000)) { _ in
          Task(name: "spinner") { while !Task.isCancelled { await Task.yield() } }
          try await Task.sleep(for: .seconds(1))
        }
      }
    }
    #expect(issues.map(\.line) == [line])
    let message = try #require(issues.first?.message)
    #expect(message.contains("is endless: 1000 jobs have run at +0.0 seconds"))
    #expect(message.contains("“spinner”"))
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks)
  func `a body that yields for ever and ignores cancellation is given up`() async throws {
    let issues = await issues {
      await #expect(throws: VirtualTimeError.bodyGivenUp) {
        try await withVirtualTime(VirtualTimeOptions(jobLimit: 1000)) { _ in
          while true { await Task.yield() }
        }
      }
    }
    #expect(issues.first?.message.contains("is endless: 1000 jobs") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks) func `two who wake each other for ever are both named`()
    async throws
  {
    let issues = await issues {
      await #expect(throws: VirtualTimeError.limitReached) {
        try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore, jobLimit: 1000)) { _ in
          let (pings, ping) = AsyncStream.makeStream(of: Void.self)
          let (pongs, pong) = AsyncStream.makeStream(of: Void.self)
          Task(name: "ping") { for await _ in pings { pong.yield() } }
          Task(name: "pong") { for await _ in pongs { ping.yield() } }
          ping.yield()
          try await Task.sleep(for: .seconds(1))
        }
      }
    }
    let message = try #require(issues.first?.message)
    #expect(message.contains("“ping”"))
    #expect(message.contains("“pong”"))
  }

  @Test(.virtualStandardClocks) func `sleeping for nothing, for ever, is endless as well`()
    async throws
  {
    let issues = await issues {
      await #expect(throws: VirtualTimeError.limitReached) {
        try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore, jobLimit: 1000)) { _ in
          Task { while true { try await Task.sleep(for: .zero) } }
          try await Task.sleep(for: .seconds(1))
        }
      }
    }
    #expect(issues.first?.message.contains("is endless: 1000 jobs") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks) func `the limit of jobs is one for each instant`() async throws {
    try await withVirtualTime(VirtualTimeOptions(jobLimit: 1000)) { _ in
      for _ in 0..<20 {
        for _ in 0..<400 { await Task.yield() }
        try await Task.sleep(for: .nanoseconds(1))
      }
    }
  }

  @Test(.virtualStandardClocks)
  func `a timer that is armed for ever, while the body waits, is reported with its name`()
    async throws
  {
    var line = 0
    let issues = await issues {
      line = #line + 1  // inside a macro, every line is the macro's
      await #expect(throws: VirtualTimeError.limitReached) {
        try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore, eventLimit: 100)) { _ in
          Task(name: "heartbeat") { while true { try await Task.sleep(for: .seconds(1)) } }
          try await untilCancelled()
        }
      }
    }
    #expect(issues.map(\.line) == [line])
    let message = try #require(issues.first?.message)
    #expect(message.contains("is endless: 100 deadlines have passed, up to +100.0 seconds"))
    #expect(message.contains("“heartbeat”, asleep since +100.0 seconds until +101.0 seconds"))
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks)
  func `as many deadlines as the limit says may pass, those of the body among them`() async throws {
    for (limit, count) in [(100, 0), (99, 1)] {
      let issues = await issues {
        _ = try? await withVirtualTime(VirtualTimeOptions(eventLimit: limit)) { _ in
          let task = Task { for _ in 0..<50 { try await Task.sleep(for: .seconds(1)) } }
          for _ in 0..<50 { try await Task.sleep(for: .seconds(1)) }
          try await task.value
        }
      }
      #expect(issues.count == count)
    }
  }

  @Test(.virtualStandardClocks)
  func `a body that ignores that its events are too many is given up`() async throws {
    let issues = await issues {
      await #expect(throws: VirtualTimeError.bodyGivenUp) {
        try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore, eventLimit: 100)) { _ in
          Task { while true { try await Task.sleep(for: .seconds(1)) } }
          await neverResumed()
        }
      }
    }
    #expect(issues.first?.message.contains("is endless: 100 deadlines") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks)
  func `an advance over too many deadlines ends, and the next one works`() async throws {
    let issues = try await issues {
      try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore, eventLimit: 100)) { time in
        Task { while true { try await Task.sleep(for: .seconds(1)) } }
        await time.advance(by: .seconds(Int64.max))
        #expect(time.now.offset == .seconds(100))
        #expect(Task.isCancelled)
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("is endless: 100 deadlines") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }
}
