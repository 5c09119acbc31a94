import Escapement
import EscapementVirtualTime
import Servers
import Synchronization

/// The answers and the metrics of the blocks, for each ten minutes of the day.
final class DayLog: Sendable {
  private struct State {
    var answers: [Int: [String: Int]] = [:]
    var slices = Array(repeating: Slice(), count: 25 * slicesPerHour)
    var waiting = 0
    var breaker = CircuitState.closed
  }

  /// Ten minutes.
  struct Slice {
    var sent = 0
    var later = 0
    var refused = 0
    var waiting = 0
    var isBreakerOpen = false
    var storeFailures = 0
  }

  static let slicesPerHour = 6

  private let start: VirtualTime.Instant
  private let clock: VirtualTime
  private let state = Mutex(State())

  init(start: VirtualTime.Instant, clock: VirtualTime) {
    self.start = start
    self.clock = clock
  }

  var hour: Int { Int(start.duration(to: clock.now) / .seconds(3_600)) }

  private var slice: Int {
    Int(start.duration(to: clock.now) / .seconds(3_600 / Self.slicesPerHour))
  }

  /// The slices of the day.
  var slices: [Slice] { Array(state.withLock { $0.slices }.prefix(24 * Self.slicesPerHour)) }

  /// How often customers who came in an hour got each answer.
  func answers(in hour: Int) -> [String: Int] { state.withLock { $0.answers[hour] ?? [:] } }

  func answer(_ answer: String, in hour: Int) {
    let slice = slice
    state.withLock { state in
      state.answers[hour, default: [:]][answer, default: 0] += 1
      switch OrderDesk.Answer(rawValue: answer) {
      case .sent: state.slices[slice].sent += 1
      case .later: state.slices[slice].later += 1
      case nil: state.slices[slice].refused += 1
      }
    }
  }

  func record(_ block: String, _ event: BlockEvent) {
    let slice = slice
    state.withLock { state in
      switch (block, event) {
      case ("packers", .waits): state.waiting += 1
      case ("packers", .waited): state.waiting -= 1
      case ("warehouse", .changed(let breaker)): state.breaker = breaker
      case ("quota", .storeFailed): state.slices[slice].storeFailures += 1
      default: break
      }
      state.slices[slice].waiting = max(state.slices[slice].waiting, state.waiting)
      if state.breaker == .open { state.slices[slice].isBreakerOpen = true }
    }
  }
}
