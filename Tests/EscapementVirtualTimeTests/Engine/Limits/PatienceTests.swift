import Testing

@testable import EscapementVirtualTime

@Suite struct PatienceTests {
  private let spinner = TaskDescription(id: 7, name: "spinner")
  private let other = TaskDescription(id: 3, name: nil)

  /// Uses up what is allowed, and returns how much that was.
  private func exhaust(_ patience: inout Patience) -> Int {
    var jobs = 0
    while patience.allowsJob() { jobs += 1 }
    return jobs
  }

  @Test(arguments: [0, 1, 2, 1000]) func `allows as many jobs as its limit says`(limit: Int) {
    var patience = Patience(jobLimit: limit)
    #expect(exhaust(&patience) == limit)
  }

  @Test func `allows a hundred times as many jobs while something may still end them`() {
    var patience = Patience(jobLimit: 3)
    var jobs = 0
    repeat { jobs += exhaust(&patience) } while patience.extend()
    #expect(jobs == 300)
    #expect(jobs == patience.jobsAllowed)
    #expect(jobs == Patience.jobsWhileHeld(limit: 3))
    #expect(Patience.jobsWhileHeld(limit: .max) == .max)
  }

  @Test func `starts anew when time moves`() {
    var patience = Patience(jobLimit: 3)
    for _ in 0..<3 { #expect(patience.allowsJob() == true) }
    patience.timeMoved()
    #expect(exhaust(&patience) == 3)
  }

  @Test func `at the limit it first watches who goes on, then names them`() {
    var patience = Patience(jobLimit: 3)
    _ = exhaust(&patience)
    patience.note(other)
    #expect(!patience.isWatching)
    guard case .watch = patience.decide() else {
      Issue.record("it must watch first")
      return
    }
    #expect(patience.isWatching)
    let watched = exhaust(&patience)
    #expect(watched > 0)
    for task in [spinner, other, nil, spinner] { patience.note(task) }
    guard case .exhausted(let witnesses, _) = patience.decide() else {
      Issue.record("it must not watch twice")
      return
    }
    #expect(witnesses.map(\.task) == [other, spinner])
    #expect(!patience.isWatching)
  }

  @Test func `a crowd ends the jobs until the report names it, also if time moves`() {
    var patience = Patience(jobLimit: 3)
    patience.isExceeded(by: .tasks)
    #expect(exhaust(&patience) == 0)
    patience.timeMoved()
    #expect(exhaust(&patience) == 0)
    #expect(patience.takeCrowd() == .tasks)
    #expect(patience.takeCrowd() == nil)
    #expect(exhaust(&patience) == 3)
  }

  @Test func `forgets what it has watched when time moves`() {
    var patience = Patience(jobLimit: 1)
    _ = exhaust(&patience)
    _ = patience.decide()
    patience.note(spinner)
    patience.timeMoved()
    #expect(!patience.isWatching)
    #expect(exhaust(&patience) == 1)
    guard case .watch = patience.decide() else {
      Issue.record("the limit was reached anew")
      return
    }
  }
}
