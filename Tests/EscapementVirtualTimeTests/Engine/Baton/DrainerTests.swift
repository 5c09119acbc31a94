import Testing

@testable import EscapementVirtualTime

@Suite struct DrainerTests {
  private let drainers = [Drainer.main, .caller, .worker]

  @Test(arguments: ReadyJob.Kind.allCases, [false, true])
  private func `jobs of the main actor run on the main queue, and no job waits for nothing`(
    kind: ReadyJob.Kind, mayLoseThread: Bool
  ) {
    for drainer in drainers {
      for others in [0, 15, 16] {
        let next = drainer.next(for: kind, mayLoseThread: mayLoseThread, othersOnMain: others)
        if kind == .mainActor || kind == .entryOnMain { #expect(next == .main) }
        // Where it is sent it runs, else a scope would go from thread to thread for ever.
        #expect(next.next(for: kind, mayLoseThread: mayLoseThread, othersOnMain: others) == next)
        if next != drainer { #expect(next != .caller) }
      }
    }
  }

  @Test func `what may keep its thread for ever runs on a thread that can be spared`() {
    for drainer in drainers {
      #expect(drainer.next(for: .actor, mayLoseThread: false, othersOnMain: 0) == .worker)
      #expect(drainer.next(for: .actor, mayLoseThread: true, othersOnMain: 0) == .worker)
      #expect(drainer.next(for: .task, mayLoseThread: true, othersOnMain: 0) == .worker)
      #expect(drainer.next(for: .entryOnWorker, mayLoseThread: false, othersOnMain: 0) == .worker)
    }
  }

  @Test func `a task that is on no actor stays where the scope is, on the main queue for a while`()
  {
    for drainer in drainers {
      #expect(drainer.next(for: .task, mayLoseThread: false, othersOnMain: 15) == drainer)
    }
    #expect(Drainer.main.next(for: .task, mayLoseThread: false, othersOnMain: 16) == .worker)
    #expect(Drainer.caller.next(for: .task, mayLoseThread: false, othersOnMain: 16) == .caller)
  }

  @Test func `the end of a sleep changes no thread`() {
    for drainer in drainers {
      #expect(drainer.next(for: .resumption, mayLoseThread: true, othersOnMain: 99) == drainer)
    }
  }
}
