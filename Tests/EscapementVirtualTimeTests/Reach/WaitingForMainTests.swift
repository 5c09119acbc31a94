import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

/// Code that needs the main queue, and is not on the main actor.
@Suite(.virtualStandardClocks) struct WaitingForMainTests {
  @Test func `code that comes back from the main actor enters the main queue`() async throws {
    let log = try await sameLog { log in
      await MainActor.run { log.mark("main actor") }
      DispatchQueue.main.sync { log.mark("main queue") }
    }
    #expect(log == ["main actor@0", "main queue@0"])
  }

  @Test func `code that comes back from the main actor waits for the main queue`() async throws {
    let log = try await sameLog { log in
      await MainActor.run { log.mark("main actor") }
      waitForMain(log)
    }
    #expect(log == ["main actor@0", "main queue@0", "goes on@0"])
  }

  @Test func `code that is called by the main actor waits for the main queue`() async throws {
    let log = try await sameLog { log in await callAway(log) }
    #expect(log == ["main queue@0", "goes on@0"])
  }

  #if os(Linux)
    @Test func `a thread gets its answer from the main queue although the scope ends meanwhile`()
      async throws
    {
      let answers = Log<Int>()
      let rounds = 20
      for _ in 0..<rounds {
        try await withVirtualTime(.reaching) { _ in
          Thread {
            answers.append(
              DispatchQueue.main.sync {
                usleep(1000)
                return 1
              })
          }.start()
          // At the end, the block has begun.
          try await Task.sleep(for: .microseconds(1))
          // This one has not.
          Thread { answers.append(DispatchQueue.main.sync { 2 }) }.start()
          try await Task.sleep(for: .microseconds(1))
        }
      }
      await answers.wait(for: 2 * rounds)
      for answer in 1...2 { #expect(answers.entries.count { $0 == answer } == rounds) }
    }
  #endif
}

@MainActor private func callAway(_ log: Log<String>) async { await waitAway(log) }

@concurrent private func waitAway(_ log: Log<String>) async { waitForMain(log) }

private func waitForMain(_ log: Log<String>) {
  let semaphore = DispatchSemaphore(value: 0)
  DispatchQueue.main.async {
    log.mark("main queue")
    semaphore.signal()
  }
  semaphore.wait()
  log.mark("goes on")
}
