import Foundation

/// The state machine of a timer that the test fires.
struct MockTimerStateMachine {
  typealias Block = @Sendable (Timer) -> Void

  private enum Phase {
    case unscheduled
    case valid(Block)
    case invalid
  }

  private var phase = Phase.unscheduled
  private(set) var interval: TimeInterval = 0
  private(set) var repeats = false
  private(set) var fireCount = 0
  private(set) var invalidateCount = 0
  var fireDate = Date.distantFuture
  var tolerance: TimeInterval = 0

  var isValid: Bool {
    if case .valid = phase { true } else { false }
  }

  mutating func schedule(
    interval: TimeInterval, repeats: Bool, at now: Date, _ block: @escaping Block
  ) {
    self.interval = interval
    self.repeats = repeats
    fireDate = now.addingTimeInterval(interval)
    phase = .valid(block)
  }

  /// The arguments are invalid, so the timer never fires.
  mutating func refuse() { phase = .invalid }

  /// Returns the block to run, or `nil` if the timer is not valid.
  mutating func fire() -> Block? {
    guard case .valid(let block) = phase else { return nil }
    fireCount += 1
    return block
  }

  /// The block has run.
  mutating func fired() {
    if !repeats { phase = .invalid }
  }

  mutating func invalidate() {
    invalidateCount += 1
    phase = .invalid
  }
}
