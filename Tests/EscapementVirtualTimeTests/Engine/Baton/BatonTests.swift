import Testing

@testable import EscapementVirtualTime

@Suite struct BatonTests {
  private enum Event: CaseIterable {
    case offer, handOver, takeAsCaller, takeOnWorker, wait, takeAway, park, end, endWithoutThread
  }

  /// Does what an event does to the baton; `false` if the event cannot happen now.
  private func apply(_ event: Event, to baton: inout Baton) -> Bool {
    let thread = baton.thread
    switch event {
    case .offer:
      let wasParked = baton.waiting != nil
      #expect(baton.offer() == wasParked)
    case .handOver, .takeAway, .wait:
      guard thread != nil else { return false }
      if event == .handOver { _ = baton.handOver(to: nil) }
      if event == .takeAway { baton.takeAway() }
      if event == .wait {
        _ = baton.beginWait()
        _ = baton.handOver(to: .worker)
      }
    case .takeAsCaller, .takeOnWorker:
      guard case .handedOver = baton.holder else { return false }
      let isCaller = event == .takeAsCaller
      baton.take(
        by: isCaller ? .caller : .worker, thread: isCaller ? 1 : 2, isCaller: isCaller, baton: nil)
    case .park:
      guard thread != nil else { return false }
      baton.park(.stalled)
    case .end, .endWithoutThread:
      guard thread != nil else { return false }
      baton.end(withoutThread: event == .endWithoutThread)
      #expect(baton.lost.threads.contains(thread!) == (event == .endWithoutThread))
      #expect(baton.waitingCaller == nil)
    }
    return true
  }

  @Test func `after any events, one holder has it, and a hand-over is never counted twice`() {
    var checked = 0
    func extend(_ baton: Baton, _ depth: Int) {
      guard depth < 7 else { return }
      for event in Event.allCases {
        var next = baton
        guard apply(event, to: &next) else { continue }
        checked += 1
        #expect(next.handOvers >= baton.handOvers)
        #expect((next.thread != nil && next.waiting != nil) == false)
        if next.waiting != nil, baton.waiting == nil { #expect(next.handOvers > baton.handOvers) }
        if let caller = next.waitingCaller { #expect(caller == 1 && next.thread != 1) }
        if event != .end, event != .endWithoutThread { extend(next, depth + 1) }
      }
    }
    extend(Baton(), 0)
    #expect(checked > 500)
  }

  @Test func `a caller that waits without the baton is lost with the scope`() {
    var baton = Baton()
    _ = baton.offer()
    baton.take(by: .caller, thread: 1, isCaller: true, baton: nil)
    let (drainer, isCaller) = baton.beginWait()
    #expect(drainer == .caller && isCaller)
    _ = baton.handOver(to: .worker)
    baton.take(by: .worker, thread: 2, isCaller: false, baton: nil)
    baton.end(withoutThread: false)
    #expect(baton.lost.threads == [1])
    #expect(baton.lost.withCaller)
  }

  @Test func `the main thread always comes back`() {
    var baton = Baton()
    _ = baton.offer()
    baton.take(by: .main, thread: 1, isCaller: true, baton: nil)
    _ = baton.beginWait()
    #expect(baton.waitingCaller == nil)
  }
}
