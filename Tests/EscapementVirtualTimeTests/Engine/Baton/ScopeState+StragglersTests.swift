import CVirtualTime
import Testing

@testable import EscapementVirtualTime

/// The decisions about threads that have lost the baton.
@Suite struct ScopeStateStragglersTests {
  private func withStraggler(_ body: (inout ScopeState) -> Void) {
    var state = ScopeState(options: VirtualTimeOptions())
    _ = state.startDraining()
    _ = state.takeBaton(by: .worker, thread: 7, baton: cvt_baton_here())
    state.takeAway(waitingIn: "pipe_read", tasks: 2)
    body(&state)
  }

  @Test func `the thread that has the baton becomes a straggler, and another one is to drain`() {
    withStraggler { state in
      #expect(state.threads.stragglers.map(\.thread) == [7])
      #expect(state.threads.stragglers.map(\.tasks) == [2])
      #expect(state.threads.isStraggler(7))
      #expect(state.baton.thread == nil)
      #expect(state.startDraining() == false)
      #expect(state.takeBaton(by: .worker, thread: 8) == true)
    }
  }

  @Test(arguments: [("pipe_read", true), ("futex_wait_queue", false)])
  func `what ends a wait in a system call is outside, except for a lock`(
    function: String, isOutside: Bool
  ) {
    var options = VirtualTimeOptions()
    options.exploredRun = ExploredRun(.schedule(.plain), stallsAtOnce: true)
    var state = ScopeState(options: options)
    _ = state.startDraining()
    _ = state.takeBaton(by: .worker, thread: 7, baton: cvt_baton_here())
    state.takeAway(waitingIn: function, tasks: 0)
    #expect(state.exploring?.hasWorkOutside == isOutside)
  }

  @Test func `a scope that waits because a straggler runs goes on when it waits again`() {
    withStraggler { state in
      _ = state.takeBaton(by: .worker, thread: 8)
      #expect(state.stragglersWait() == false)
      #expect(state.park(for: [7]) == true)
      #expect(state.threads.areStragglersAwaited)
      #expect(state.stragglersWait() == true)
      #expect(state.stragglersWait() == false)
      #expect(!state.threads.areStragglersAwaited)
    }
  }

  @Test func `a scope that waits because a straggler runs goes on when it asks for the baton`() {
    withStraggler { state in
      _ = state.takeBaton(by: .worker, thread: 8)
      #expect(state.park(for: [7]) == true)
      let taken = state.takeBack(7, with: nil)
      #expect(taken?.mustDrain == true)
      #expect(taken?.straggler.tasks == 2)
      #expect(!state.threads.isStraggler(7))
      #expect(state.takeBack(7, with: nil)?.mustDrain == nil)
    }
  }

  @Test func `a scope does not wait for a straggler that has asked meanwhile`() {
    withStraggler { state in
      _ = state.takeBaton(by: .worker, thread: 8)
      #expect(state.takeBack(7, with: nil)?.mustDrain == false)
      #expect(state.park(for: [7]) == false)
      #expect(state.baton.thread == 8)
    }
  }

  @Test func `a straggler of a scope that has ended gets nothing`() {
    withStraggler { state in
      _ = state.takeBaton(by: .worker, thread: 8)
      _ = state.endBody()
      _ = state.end()
      let taken = state.takeBack(7, with: nil)
      #expect(taken != nil)
      #expect(taken?.mustDrain == nil)
    }
  }

  @Test func `no baton is taken from the thread of a scope that has ended, which may be gone`() {
    var state = ScopeState(options: VirtualTimeOptions())
    _ = state.startDraining()
    _ = state.takeBaton(by: .worker, thread: 7, baton: cvt_baton_here())
    _ = state.endBody()
    #expect(state.baton.ofThread != nil)
    _ = state.end()
    #expect(state.baton.ofThread == nil)
    #expect(state.takeBaton(by: .worker, thread: 8, baton: cvt_baton_here()) == false)
    #expect(state.baton.ofThread == nil)
  }

  @Test func `no baton is taken from a thread without which the scope has ended`() {
    var state = ScopeState(options: VirtualTimeOptions())
    _ = state.startDraining()
    _ = state.takeBaton(by: .worker, thread: 7, baton: cvt_baton_here())
    #expect(state.end(withoutThread: true) != nil)
    #expect(state.baton.ofThread == nil)
  }

  @Test func `a hold is found although its thread comes back again and again`() {
    let second: Nanoseconds = 1_000_000_000
    withStraggler { state in
      state.openHold()
      for look in 0..<64 {
        _ = state.takeBaton(by: .worker, thread: 8)
        _ = state.next()
        guard case .nothing = state.look(at: Nanoseconds(look) * second / 8) else {
          Issue.record("look \(look) found something")
          return
        }
        _ = state.takeBack(7, with: nil)
        _ = state.takeBaton(by: .worker, thread: 7, baton: cvt_baton_here())
        state.takeAway(waitingIn: "hrtimer_nanosleep", tasks: 1)
      }
      _ = state.takeBaton(by: .worker, thread: 8)
      _ = state.next()
      guard case .drain = state.look(at: 8 * second) else {
        Issue.record("the hold is not found")
        return
      }
    }
  }
}
