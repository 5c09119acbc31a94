import Testing

@testable import Escapement

@Suite struct SharedQuotaStateMachineTests {
  private typealias Machine = SharedQuotaStateMachine<String>

  private struct Down: Error {}

  private var machine = Machine(capacity: 10, maximumRequests: 4, timeout: 10)

  /// What begins, in short: 'spare', 'refused', 'waits', or the permits of the call that is made.
  private mutating func begin(_ permits: Int, for key: String = "a", at now: Int64 = 0) -> String {
    switch machine.begin(permits, for: key, "\(permits) at \(now)", now: now) {
    case .useSpare: return "spare"
    case .refuse: return "refused"
    case .wait(_, nil): return "waits"
    case .wait(_, let call?):
      calls.append(call)
      return "asks for \(call.permits)"
    }
  }

  /// The calls that were made and have not ended, in their order.
  private var calls: [Machine.Call] = []

  /// Ends the first call, and returns the decisions, and what is asked for next.
  private mutating func end(
    _ result: Result<QuotaDecision, any Error>, at now: Int64 = 0
  ) -> [String] {
    guard let ended = machine.ended(calls.removeFirst(), result, now: now) else {
      return ["given up"]
    }
    var lines = ended.answers.map { "\($0.request): \(Self.text($0.result))" }
    if let next = ended.next {
      calls.append(next)
      lines.append("asks for \(next.permits)")
    }
    return lines
  }

  private static func text(_ result: Result<QuotaDecision, any Error>) -> String {
    switch result {
    case .success(.allowed(let remaining)): "\(remaining) left"
    case .success(.denied(let wait)): "wait \(wait.components.seconds)"
    case .failure: "failure"
    }
  }

  private mutating func overdue(at now: Int64) -> Machine.Overdue {
    let watch = CancellableTask()
    _ = machine.begins(watch, endsWhenIdle: false)
    defer { machine.cancelled(watch) }
    let overdue = machine.overdue(now: now, by: watch)
    calls += overdue.calls
    return overdue
  }

  @Test mutating func `two calls are under way for a key, and the next one decides the others`() {
    #expect(begin(1) == "asks for 1")
    #expect(begin(2) == "asks for 2")
    #expect(begin(3) == "waits")
    #expect(begin(4) == "waits")
    #expect(end(.success(.allowed(remaining: 9))) == ["1 at 0: 9 left", "asks for 7"])
    #expect(end(.success(.allowed(remaining: 7))) == ["2 at 0: 7 left"])
    // As if the store had granted three permits, and then four.
    #expect(end(.success(.allowed(remaining: 0))) == ["3 at 0: 4 left", "4 at 0: 0 left"])
    #expect(begin(1) == "asks for 1")
  }

  @Test mutating func `keys do not wait for each other`() {
    #expect(begin(1, for: "a") == "asks for 1")
    #expect(begin(1, for: "a") == "asks for 1")
    #expect(begin(1, for: "b") == "asks for 1")
  }

  @Test mutating func `a call asks for no more permits than remained`() {
    for _ in 1...2 { _ = begin(1) }
    for permits in [2, 1] { #expect(begin(permits) == "waits") }
    #expect(end(.success(.allowed(remaining: 2))) == ["1 at 0: 2 left", "asks for 2"])
    #expect(end(.success(.allowed(remaining: 1))) == ["1 at 0: 1 left"])
    #expect(end(.success(.allowed(remaining: 0))) == ["2 at 0: 0 left", "asks for 1"])
    #expect(end(.success(.denied(retryAfter: .seconds(3)))) == ["1 at 0: wait 3"])
  }

  @Test mutating func `a call asks for no more permits than the capacity`() {
    for _ in 1...2 { _ = begin(1) }
    for permits in [6, 5] { #expect(begin(permits) == "waits") }
    #expect(end(.failure(Down())) == ["1 at 0: failure", "asks for 6"])
  }

  @Test mutating func `if the store denies several requests, the first one is asked for alone`() {
    for _ in 1...2 { _ = begin(1) }
    for permits in [2, 3] { #expect(begin(permits) == "waits") }
    #expect(end(.success(.allowed(remaining: 8))) == ["1 at 0: 8 left", "asks for 5"])
    #expect(end(.success(.allowed(remaining: 4))) == ["1 at 0: 4 left"])
    #expect(end(.success(.denied(retryAfter: .seconds(9)))) == ["asks for 2"])
    #expect(end(.success(.allowed(remaining: 2))) == ["2 at 0: 2 left", "asks for 3"])
    #expect(end(.success(.denied(retryAfter: .seconds(1)))) == ["3 at 0: wait 1"])
  }

  @Test mutating func `a denial holds for the following requests for as many permits`() {
    machine = Machine(capacity: 10, maximumRequests: 6, timeout: 10)
    for _ in 1...2 { _ = begin(1) }
    for permits in [2, 2, 2, 1] { #expect(begin(permits) == "waits") }
    #expect(
      end(.success(.denied(retryAfter: .seconds(1)))) == ["1 at 0: wait 1", "asks for 2"])
    #expect(end(.success(.denied(retryAfter: .seconds(1)))) == ["1 at 0: wait 1"])
    #expect(
      end(.success(.denied(retryAfter: .seconds(2)))) == [
        "2 at 0: wait 2", "2 at 0: wait 2", "2 at 0: wait 2", "asks for 1",
      ])
  }

  @Test mutating func `a denial decides all requests of the call for as many permits`() {
    machine = Machine(capacity: 10, maximumRequests: 9, timeout: 10)
    for _ in 1...2 { _ = begin(1) }
    for permits in [2, 3, 2, 3, 2] { #expect(begin(permits) == "waits") }
    #expect(end(.failure(Down())) == ["1 at 0: failure", "asks for 10"])
    #expect(end(.failure(Down())) == ["1 at 0: failure"])
    #expect(end(.success(.denied(retryAfter: .seconds(9)))) == ["asks for 2"])
    #expect(
      end(.success(.denied(retryAfter: .seconds(2))))
        == Array(repeating: "2 at 0: wait 2", count: 3) + ["asks for 3"])
    #expect(
      end(.success(.denied(retryAfter: .seconds(3))))
        == Array(repeating: "3 at 0: wait 3", count: 2))
  }

  @Test mutating func `cancelled requests do not divide those that share a call`() {
    machine = Machine(capacity: 10, maximumRequests: 9, timeout: 10)
    for _ in 1...2 { _ = begin(1) }
    for number in 1...5 {
      guard case .wait(let id, nil) = machine.begin(1, for: "a", "\(number)", now: 0) else {
        Issue.record("Request \(number) does not wait.")
        return
      }
      if number.isMultiple(of: 2) { machine.cancelled(id) }
    }
    #expect(end(.success(.allowed(remaining: 8))) == ["1 at 0: 8 left", "asks for 3"])
    #expect(end(.success(.allowed(remaining: 7))) == ["1 at 0: 7 left"])
    #expect(end(.success(.allowed(remaining: 4))) == ["1: 6 left", "3: 5 left", "5: 4 left"])
  }

  @Test mutating func `a call is awaited as long as its requests, whatever the clock said`() {
    for _ in 1...2 { _ = begin(1, at: 0) }
    for permits in [2, 3] { #expect(begin(permits, at: 5) == "waits") }
    // The clock was read before the requests began.
    #expect(end(.success(.allowed(remaining: 9)), at: 4).last == "asks for 5")
    #expect(overdue(at: 14).timedOut == ["1 at 0"])
    _ = end(.failure(Down()), at: 14)
    // The denial of both decides neither of them.
    #expect(end(.success(.denied(retryAfter: .seconds(9))), at: 14) == ["asks for 2"])
  }

  @Test mutating func `a late denial of several requests decides none of them`() {
    for _ in 1...2 { _ = begin(1, at: 0) }
    for permits in [2, 3] { #expect(begin(permits, at: 5) == "waits") }
    #expect(end(.success(.allowed(remaining: 9)), at: 5).last == "asks for 5")
    #expect(overdue(at: 15).timedOut == ["1 at 0", "2 at 5", "3 at 5"])
    _ = end(.failure(Down()), at: 15)
    #expect(end(.success(.denied(retryAfter: .seconds(9))), at: 16) == [])
    #expect(overdue(at: 16).next == nil)
  }

  @Test mutating func `the largest number of permits may remain`() {
    #expect(begin(2) == "asks for 2")
    #expect(end(.success(.allowed(remaining: .max))) == ["2 at 0: \(Int.max) left"])
  }

  @Test mutating func `a request that comes after a denied one was sent is asked for`() {
    for _ in 1...2 { _ = begin(1) }
    #expect(begin(1) == "waits")
    #expect(
      end(.success(.denied(retryAfter: .seconds(1)))) == ["1 at 0: wait 1", "asks for 1"])
    #expect(begin(1) == "waits")
    #expect(
      end(.success(.denied(retryAfter: .seconds(1)))) == ["1 at 0: wait 1", "asks for 1"])
    #expect(end(.success(.denied(retryAfter: .seconds(1)))) == ["1 at 0: wait 1"])
  }

  @Test mutating func `a failure is that of all requests of the call`() {
    for _ in 1...2 { _ = begin(1) }
    for _ in 1...2 { #expect(begin(2) == "waits") }
    #expect(end(.success(.allowed(remaining: 9))).last == "asks for 4")
    #expect(end(.failure(Down())) == ["1 at 0: failure"])
    #expect(end(.failure(Down())) == ["2 at 0: failure", "2 at 0: failure"])
  }

  @Test mutating func `requests beyond the limit are refused until one has been decided`() {
    for _ in 1...2 { _ = begin(1) }
    for _ in 1...2 { #expect(begin(1) == "waits") }
    #expect(begin(1) == "refused")
    #expect(begin(1, for: "b") == "refused")
    _ = end(.success(.allowed(remaining: 9)))
    #expect(begin(1, for: "b") == "asks for 1")
    #expect(begin(1) == "refused")
  }

  @Test mutating func `no permits are asked for whose caller is cancelled while it waits`() {
    for _ in 1...2 { _ = begin(1) }
    guard case .wait(let first, nil) = machine.begin(3, for: "a", "first", now: 0),
      case .wait(let second, nil) = machine.begin(4, for: "a", "second", now: 0)
    else { Issue.record("They do not wait."); return }
    machine.cancelled(first)
    #expect(end(.success(.allowed(remaining: 9))) == ["1 at 0: 9 left", "asks for 4"])
    machine.cancelled(second)
    #expect(end(.success(.allowed(remaining: 9))) == ["1 at 0: 9 left"])
    // The caller has an answer already, so its permits are kept for the next one.
    #expect(end(.success(.allowed(remaining: 5))) == ["second: 5 left"])
    machine.granted(4, for: "a", now: 0)
    #expect(begin(4) == "spare")
  }

  @Test mutating func `permits that came too late go to the next caller with the same key`() {
    machine.granted(3, for: "a", now: 0)
    #expect(begin(1, for: "b", at: 0) == "asks for 1")
    #expect(begin(4, for: "a", at: 0) == "asks for 4")
    #expect(begin(2, for: "a", at: 9) == "spare")
    #expect(begin(1, for: "a", at: 9) == "spare")
    #expect(begin(1, for: "a", at: 9) == "asks for 1")
  }

  @Test mutating func `permits that came too late expire after the timeout`() {
    machine.granted(1, for: "a", now: 0)
    #expect(begin(1, for: "a", at: 10) == "asks for 1")
  }

  @Test mutating func `a request times out, and its call is given up after ten times that time`() {
    _ = begin(1, for: "a", at: 0)
    _ = begin(2, for: "b", at: 4)
    #expect(overdue(at: 9).next == 10)
    var result = overdue(at: 10)
    #expect(result.timedOut == ["1 at 0"])
    #expect(result.givenUp.isEmpty)
    #expect(result.next == 14)
    result = overdue(at: 14)
    #expect(result.timedOut == ["2 at 4"])
    // When a request that begins now would time out.
    #expect(result.next == 24)
    // They count until then.
    for _ in 1...2 { _ = begin(1, for: "c", at: 99) }
    #expect(begin(1, for: "d", at: 99) == "refused")
    result = overdue(at: 100)
    #expect(result.timedOut.isEmpty)
    #expect(result.givenUp.first === calls[0].running)
    #expect(begin(1, for: "d", at: 100) == "asks for 1")
    #expect(overdue(at: 104).givenUp.first === calls[1].running)
    #expect(end(.success(.allowed(remaining: 1)), at: 105) == ["given up"])
  }

  @Test mutating func `requests that wait for calls that take too long get a call of their own`() {
    for _ in 1...2 { _ = begin(1, at: 0) }
    #expect(begin(2, at: 5) == "waits")
    #expect(overdue(at: 9).calls.isEmpty)
    let result = overdue(at: 10)
    #expect(result.timedOut == ["1 at 0", "1 at 0"])
    #expect(result.calls.map(\.permits) == [2])
    #expect(result.next == 15)
    // A late answer decides for callers that have given up, and starts nothing.
    #expect(begin(3, at: 11) == "asks for 3")
    #expect(end(.success(.allowed(remaining: 9)), at: 12) == ["1 at 0: 9 left"])
    #expect(end(.success(.denied(retryAfter: .seconds(1))), at: 12) == ["1 at 0: wait 1"])
    #expect(end(.success(.allowed(remaining: 7)), at: 12) == ["2 at 5: 7 left"])
    #expect(end(.success(.allowed(remaining: 4)), at: 12) == ["3 at 11: 4 left"])
    #expect(overdue(at: 1_000).next == nil)
  }

  @Test mutating func `a request whose call has not asked for it times out before the call`() {
    machine = Machine(capacity: 1, maximumRequests: 10, timeout: 10)
    for _ in 1...2 { _ = begin(1, at: 0) }
    for _ in 1...2 { #expect(begin(1, at: 5) == "waits") }
    // Both are taken, and the first one is asked for. The clock was read before the requests began.
    #expect(end(.success(.allowed(remaining: 0)), at: 4).last == "asks for 1")
    #expect(overdue(at: 14).timedOut == ["1 at 0"])
    let result = overdue(at: 15)
    #expect(result.timedOut == ["1 at 5", "1 at 5"])
    #expect(result.calls.isEmpty)
  }

  @Test mutating func `what has ended does not time out`() {
    _ = begin(1, for: "a", at: 0)
    _ = begin(2, for: "b", at: 0)
    _ = end(.success(.allowed(remaining: 0)))
    #expect(overdue(at: 10).timedOut == ["2 at 0"])
    _ = end(.success(.allowed(remaining: 0)))
    #expect(overdue(at: 100).givenUp.isEmpty)
  }

  @Test mutating func `one watch serves the calls, until it finds none`() {
    let (first, second) = (CancellableTask(), CancellableTask())
    #expect(machine.begins(first, endsWhenIdle: false) == false)
    _ = begin(1, for: "a", at: 0)
    #expect(machine.begins(first, endsWhenIdle: false) == true)
    _ = begin(1, for: "b", at: 1)
    #expect(machine.begins(second, endsWhenIdle: false) == false)
    _ = end(.success(.allowed(remaining: 0)))
    #expect(machine.overdue(now: 10, by: first).next == 11)
    _ = end(.success(.allowed(remaining: 0)))
    #expect(machine.overdue(now: 11, by: first).next == nil)
    _ = begin(1, for: "c", at: 12)
    #expect(machine.begins(second, endsWhenIdle: false) == true)
    // The first one was cancelled, and says so late.
    machine.cancelled(first)
    #expect(machine.overdue(now: 22, by: first).timedOut == [])
    #expect(machine.begins(first, endsWhenIdle: false) == false)
    machine.cancelled(second)
    #expect(machine.begins(first, endsWhenIdle: false) == true)
  }

  @Test mutating func `a watch that ends when it is idle ends with the last call`() {
    let watch = CancellableTask()
    _ = begin(1, for: "a", at: 0)
    _ = begin(1, for: "b", at: 0)
    #expect(machine.begins(watch, endsWhenIdle: true) == true)
    #expect(machine.ended(calls[0], .failure(Down()), now: 0)?.watch == nil)
    #expect(machine.ended(calls[1], .failure(Down()), now: 0)?.watch === watch)
    #expect(machine.overdue(now: 10, by: watch).next == nil)
  }
}
