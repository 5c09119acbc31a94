import EscapementVirtualTime
import TestSupport
import Testing

private actor Worker {
  private var count = 0
  func nap() async throws {
    try await Task.sleep(for: .seconds(1))
    keepBusy(50)
  }
  func work() -> Int {
    keepBusy(50)
    count += 1
    return count
  }
}

private actor OwnThread {
  private nonisolated let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var count = 0
  func work() -> Int {
    keepBusy(50)
    count += 1
    return count
  }
  func nap() async throws {
    try await Task.sleep(for: .seconds(1))
    keepBusy(50)
  }
}

/// Scopes that end while something is still under way.
@Suite(.virtualStandardClocks) struct HostileEndingTests {
  private let quiet = VirtualTimeOptions(leftovers: .ignore)

  @Test func `a scope ends while foreign threads resume its tasks`() async throws {
    for round in 0..<300 {
      try await withVirtualTime(quiet) { time in
        for _ in 0..<8 {
          Task {
            await resumedByForeignThread()
            Task { await resumedByForeignThread() }
            try await Task.sleep(for: .seconds(1))
          }
        }
        for _ in 0..<(round % 20) { await Task.yield() }
      }
    }
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test func `a scope ends while its tasks are in the mailbox of an actor of the outside`()
    async throws
  {
    let (worker, own) = (Worker(), OwnThread())
    let outside = (0..<2).map { _ in
      Task.detached {
        while !Task.isCancelled {
          _ = await worker.work()
          _ = await own.work()
          await Task.yield()
        }
      }
    }
    for round in 0..<300 {
      try await withVirtualTime(quiet) { _ in
        for _ in 0..<8 {
          Task {
            _ = await worker.work()
            _ = await own.work()
            try await own.nap()
            _ = await worker.work()
          }
        }
        for _ in 0..<(round % 20) { await Task.yield() }
      }
    }
    for task in outside { task.cancel() }
    for task in outside { await task.value }
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test func `tasks in a foreign mailbox are waited for at the end, and not reported`() async throws
  {
    let (worker, own) = (Worker(), OwnThread())
    let outside = Task.detached {
      while !Task.isCancelled {
        _ = await worker.work()
        await Task.yield()
      }
    }
    let issues = try await issues {
      for _ in 0..<100 {
        let log = Log<Int>()
        try await withVirtualTime { _ in
          for _ in 0..<4 {
            Task {
              log.append(await worker.work())
              log.append(await own.work())
            }
          }
        }
        #expect(log.count == 8)
      }
    }
    outside.cancel()
    await outside.value
    #expect(issues.map(\.message) == [])
  }

  @Test func `a scope whose caller is cancelled at any moment ends`() async throws {
    let (worker, own) = (Worker(), OwnThread())
    for round in 0..<400 {
      let task = Task.detached {
        try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { time in
          for _ in 0..<4 {
            Task {
              for _ in 0..<10 {
                _ = await worker.work()
                try await own.nap()
                await time.hold { await resumedByForeignThread() }
              }
            }
          }
          try await Task.sleep(for: .seconds(1_000))
        }
      }
      for _ in 0..<round { keepBusy(10) }
      task.cancel()
      _ = await task.result
    }
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test func `tasks of a scope that the outside cancels end`() async throws {
    let (worker, own) = (Worker(), OwnThread())
    for round in 0..<200 {
      try await withVirtualTime { time in
        let tasks = (0..<8).map { _ in
          Task {
            for _ in 0..<20 {
              _ = await worker.work()
              try await own.nap()
              try await Task.sleep(for: .milliseconds(1))
            }
          }
        }
        outside {
          for _ in 0..<round { keepBusy(10) }
          for task in tasks { task.cancel() }
        }
        for task in tasks { _ = await task.result }
      }
    }
  }

  @Test func `a sleep on an actor that another thread cancels is not left behind`() async throws {
    let issues = try await issues {
      for round in 0..<200 {
        try await withVirtualTime { time in
          let worker = Worker()
          let tasks = (0..<8).map { _ in Task { for _ in 0..<20 { try await worker.nap() } } }
          outside {
            for _ in 0..<round { keepBusy(10) }
            for task in tasks { task.cancel() }
          }
          for task in tasks { _ = await task.result }
          #expect(time.sleepers.isEmpty)
          #expect(time.nextDeadline == nil)
        }
      }
    }
    #expect(issues.map(\.message) == [])
  }
}
