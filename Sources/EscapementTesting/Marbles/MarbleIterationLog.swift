import EscapementVirtualTime
import _EscapementCore

/// When the iterations of a ``MarbleSequence`` began and ended.
final class MarbleIterationLog: Sendable {
  typealias Event = (event: MarbleDiagram.Event, instant: Int64)

  private struct State {
    var iterations: [[Event]] = []
    var demandCount = 0
  }

  private let state = Lock(State())
  private let start: Duration

  init() { start = VirtualTime.current?.now.offset ?? .zero }

  var iterations: [[Event]] { state.withLock(\.iterations) }
  var demandCount: Int { state.withLock(\.demandCount) }

  func begin() -> MarbleIteration {
    let instant = now
    let number = state.withLock { state in
      state.iterations.append([(.start, instant)])
      return state.iterations.count - 1
    }
    return MarbleIteration(number: number, log: self)
  }

  fileprivate func end(_ number: Int, _ event: MarbleDiagram.Event) {
    let instant = now
    state.withLock { state in
      guard state.iterations[number].count == 1 else { return }
      state.iterations[number].append((event, instant))
    }
  }

  func countDemand() { state.withLock { $0.demandCount += 1 } }

  /// The time since the sequence was created.
  var now: Int64 {
    ((VirtualTime.current?.now.offset ?? start) - start).wholeNanoseconds
  }
}

/// One iteration, which ends at the latest when its iterator is released.
final class MarbleIteration: Sendable {
  private let number: Int
  private let log: MarbleIterationLog

  fileprivate init(number: Int, log: MarbleIterationLog) {
    self.number = number
    self.log = log
  }

  func end(_ event: MarbleDiagram.Event) { log.end(number, event) }

  deinit { end(.cancellation) }
}
