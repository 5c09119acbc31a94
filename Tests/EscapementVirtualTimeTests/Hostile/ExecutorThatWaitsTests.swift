import EscapementVirtualTime
import TestSupport
import Testing
import _EscapementCore

/// A serial executor that runs nothing until it is released.
private final class HeldExecutor: SerialExecutor {
  private let jobs = Lock<[UnownedJob]?>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isHeld = jobs.withLock { jobs in
      jobs?.append(job)
      return jobs != nil
    }
    if !isHeld { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  func release() {
    let held = jobs.withLock { jobs in
      defer { jobs = nil }
      return jobs ?? []
    }
    for job in held { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}

private actor Held {
  nonisolated let executor = HeldExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  func work() {}
}

private let impatient = VirtualTimeOptions(
  leftovers: .ignore, stallLimit: .milliseconds(20), holdLimit: .milliseconds(20))

/// An executor that does not run what it is given.
@Suite(.virtualStandardClocks) struct ExecutorThatWaitsTests {
  @Test(.withoutOptimisation, .timeLimit(.minutes(60)))
  func `a body that waits for an executor which runs nothing is reported and given up`()
    async throws
  {
    let held = Held()
    let issues = await issues {
      await #expect(throws: VirtualTimeError.bodyGivenUp) {
        try await withVirtualTime(impatient) { _ in await held.work() }
      }
    }
    held.executor.release()
    #expect(issues.count >= 1)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.timeLimit(.minutes(60)))
  func `a scope ends although an executor does not run what is left over`() async throws {
    let held = Held()
    try await withVirtualTime(impatient) { _ in
      Task { await held.work() }
      await Task.yield()
    }
    held.executor.release()
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.withoutOptimisation, .timeLimit(.minutes(60)))
  func `a task that an executor does not run is listed as left over`() async throws {
    let held = Held()
    let issues = try await issues {
      let options = VirtualTimeOptions(
        stallLimit: .milliseconds(20), holdLimit: .milliseconds(20))
      try await withVirtualTime(options) { _ in
        Task { await held.work() }
        await Task.yield()
      }
    }
    held.executor.release()
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("left over") == true)
  }
}
