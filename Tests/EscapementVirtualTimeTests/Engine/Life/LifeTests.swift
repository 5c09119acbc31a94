import Testing

@testable import EscapementVirtualTime

@Suite struct LifeTests {
  private enum Event: CaseIterable {
    case reachLimit, endBody, leaveTasks, leaveNothing, end, lose
  }

  private func step(_ life: inout Life, _ event: Event) -> Bool {
    switch event {
    case .reachLimit: life.reachLimit()
    case .endBody: life.endBody()
    case .leaveTasks:
      life.leave([Leftover(task: TaskDescription(id: 1, name: nil), sleep: nil)])
    case .leaveNothing: life.leave([])
    case .end: life.end() != nil
    case .lose: life.lose() != nil
    }
  }

  /// How far down the list a life is.
  private func stage(_ life: Life) -> Int {
    switch life {
    case .running: 0
    case .limitReached: 1
    case .ending: 2
    case .cancelling(_, let rounds, _): 2 + rounds
    case .ended: 100
    }
  }

  @Test func `whatever happens, a life only goes on, and an event that is refused changes nothing`()
  {
    var checked = 0
    func extend(_ life: Life, _ depth: Int) {
      guard depth < 7 else { return }
      for event in Event.allCases {
        var next = life
        let isAccepted = step(&next, event)
        checked += 1
        // At the second limit the body is given up, which is not said by the result.
        if isAccepted {
          #expect(stage(next) > stage(life))
        } else if event != .reachLimit {
          #expect(stage(next) == stage(life))
        }
        #expect(stage(next) >= stage(life))
        extend(next, depth + 1)
      }
    }
    extend(.running, 0)
    #expect(checked > 90_000)
  }

  @Test(arguments: [
    ([Event.endBody], Life.Body.completed), ([.reachLimit, .endBody], .completedAfterLimit),
    ([.reachLimit, .reachLimit], .givenUp), ([.reachLimit, .reachLimit, .endBody], .givenUp),
    ([.endBody, .reachLimit], .completed), ([.endBody, .leaveTasks, .reachLimit], .completed),
  ])
  private func `the end says how the body ended, once`(_ events: [Event], body: Life.Body) {
    var life = Life.running
    for event in events { _ = step(&life, event) }
    #expect(life.isCutShort == (body != .completed))
    #expect(life.end() == body)
    #expect(life.isCutShort == (body != .completed))
    #expect(life.end() == nil)
    #expect(life.hasEnded)
  }

  @Test func `a scope that ends without its thread gives up a body that has not ended`() {
    var running = Life.running
    #expect(running.lose() == .givenUp)
    #expect(running.lose() == nil)
    var ending = Life.running
    _ = ending.endBody()
    #expect(ending.lose() == .completed)
  }

  @Test func `a scope does not end while its body runs`() {
    var life = Life.running
    #expect(life.end() == nil)
    #expect(life.reachLimit() == true)
    #expect(life.end() == nil)
    #expect(life.hasBody)
  }

  @Test func `what is left over is cancelled sixteen times, and described as it was at first`() {
    func leftovers(_ id: UInt64) -> [Leftover] {
      [Leftover(task: TaskDescription(id: id, name: nil), sleep: nil)]
    }
    var life = Life.running
    _ = life.endBody()
    for round in 1...16 { #expect(life.leave(leftovers(UInt64(round))) == true) }
    #expect(life.leave(leftovers(17)) == false)
    guard case .cancelling(_, _, let first) = life else {
      Issue.record("it must still be cancelling")
      return
    }
    #expect(first.map(\.task.id) == [1])
  }
}
