import Testing
import _EscapementCore

/// Every order of the three events of a sleep.
///
/// The events are: the task suspends, the deadline is reached, the task is cancelled. The host causes
/// them inside `arm` and `suspend`, on the thread of the task, so that each order is reproducible.
@Suite struct SleepHostTests {
  @Test func `a deadline that has been reached does not suspend`() async throws {
    let host = TestHost(now: 5)
    try await host.sleep(until: 5)
    #expect(host.log == ["arm"])
  }

  @Test func `a sleep ends at its deadline and not one tick before`() async throws {
    let host = TestHost(now: 0)
    host.when(.suspended) {
      host.move(to: 4)
      host.move(to: 5)
    }
    try await host.sleep(until: 5)
    #expect(host.log == ["arm", "suspend", "move 4", "move 5", "wake", "return"])
  }

  @Test func `a cancelled task does not begin to sleep`() async {
    let host = TestHost(now: 0)
    await #expect(throws: CancellationError.self) {
      try await cancelledTask { try await host.sleep(until: 5) }.value
    }
    #expect(host.log == [])
  }

  @Test func `a cancelled task throws even when the deadline has been reached`()
    async
  {
    let host = TestHost(now: 5)
    await #expect(throws: CancellationError.self) {
      try await cancelledTask { try await host.sleep(until: 5) }.value
    }
    #expect(host.log == [])
  }

  @Test(arguments: Order.all)
  func `a sleep ends exactly once in every order of events`(order: Order) async {
    let host = TestHost(now: 0)
    for (moment, event) in order.events {
      host.when(moment) {
        switch event {
        case .deadline: host.move(to: 5)
        case .cancellation: withUnsafeCurrentTask { $0?.cancel() }
        }
      }
    }
    let result = await Task { try await host.sleep(until: 5) }.result
    let isCancelled = if case .failure(is CancellationError) = result { true } else { false }
    #expect(isCancelled == order.expectsCancellation)
    #expect(host.count(of: "wake") + host.count(of: "cancel") == 1, "\(host.log)")
    #expect(host.count(of: "return") == 1, "\(host.log)")
  }

  /// Runs the operation in a task that is already cancelled.
  private func cancelledTask(
    _ operation: @escaping @Sendable () async throws -> Void
  ) -> Task<Void, any Error> {
    Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await operation()
    }
  }
}

/// The events that end a sleep, and the moment of each.
struct Order: Sendable, CustomTestStringConvertible {
  enum Event { case deadline, cancellation }

  let events: [(moment: TestHost.Moment, event: Event)]

  /// Each event at each moment, and both events in each order at each pair of moments.
  static var all: [Order] {
    let moments = TestHost.Moment.allCases
    let single = moments.flatMap { moment in
      [Order(events: [(moment, .deadline)]), Order(events: [(moment, .cancellation)])]
    }
    let pairs = moments.flatMap { first in
      moments.filter { first <= $0 }.flatMap { second in
        [
          Order(events: [(first, .deadline), (second, .cancellation)]),
          Order(events: [(first, .cancellation), (second, .deadline)]),
        ]
      }
    }
    return single + pairs.filter(\.isReached)
  }

  /// Whether both moments occur.
  ///
  /// A sleep that ends before its task suspends is never suspended.
  private var isReached: Bool {
    events[0].moment == .suspended || events[1].moment != .suspended
  }

  /// A cancellation before the task suspends takes effect even when the deadline came first.
  var expectsCancellation: Bool {
    guard let cancellation = events.firstIndex(where: { $0.event == .cancellation }) else {
      return false
    }
    return cancellation == 0 || events[cancellation].moment != .suspended
  }

  var testDescription: String {
    events.map { "\($0.event) when \($0.moment)" }.joined(separator: ", ")
  }
}

/// A clock with one sleep at a time, and a hook at each moment of the sleep.
final class TestHost: SleepHost {
  enum Moment: Int, CaseIterable, Comparable {
    case armed, suspending, suspended

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  private struct State {
    var now: Int
    var queue = TimerQueue<Int, Sleeper>()
    var hooks: [Moment: [@Sendable () -> Void]] = [:]
    var log: [String] = []
  }

  private let state: Lock<State>

  init(now: Int) {
    state = Lock(State(now: now))
  }

  var log: [String] { state.withLock { $0.log } }

  func count(of entry: String) -> Int { log.count { $0 == entry } }

  func when(_ moment: Moment, _ hook: @escaping @Sendable () -> Void) {
    state.withLock { $0.hooks[moment, default: []].append(hook) }
  }

  private func reach(_ moment: Moment) {
    let hooks = state.withLock { $0.hooks.removeValue(forKey: moment) } ?? []
    for hook in hooks { hook() }
  }

  func move(to now: Int) {
    let woken = state.withLock { state in
      state.now = now
      state.log.append("move \(now)")
      guard let deadline = state.queue.firstDeadline, deadline <= now
      else { return nil as Sleeper? }
      state.log.append("wake")
      return state.queue.popFirst()?.element
    }
    woken?.continuation?.resume()
  }

  func arm(until deadline: Int) -> TimerToken? {
    let token = state.withLock { state in
      state.log.append("arm")
      return deadline > state.now ? state.queue.insert(Sleeper(), at: deadline) : nil
    }
    reach(.armed)
    return token
  }

  func suspend(_ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>) -> Bool {
    reach(.suspending)
    let isSuspended = state.withLock { state in
      state.log.append("suspend")
      return state.queue.update(token) { $0.continuation = continuation }
    }
    if isSuspended { reach(.suspended) }
    return isSuspended
  }

  func cancel(_ token: TimerToken) -> Sleeper? {
    state.withLock { state in
      guard let sleeper = state.queue.remove(token) else { return nil }
      state.log.append("cancel")
      return sleeper
    }
  }

  func didReturn() {
    state.withLock { $0.log.append("return") }
  }
}
