import Foundation

/// The timers that have been added to a scheduler, each with its modes.
struct AddedTimers {
  /// Why a timer is not added.
  enum Refusal: Equatable, CustomStringConvertible {
    case invalid(mode: String)
    case addedTwice(mode: String)

    var description: String {
      switch self {
      case .invalid(let mode):
        """
        An invalid timer was added for the mode '\(mode)'. It will not fire.

        The timer may have been invalidated, or it has fired and does not repeat. Create a new timer.
        """
      case .addedTwice(let mode):
        """
        A timer was added for the mode '\(mode)' a second time, which has no effect.

        The code under test may add the timer again in order to restart it. A timer cannot be restarted: \
        create a new timer.
        """
      }
    }
  }

  private(set) var timers: [Timer] = []
  private var modes: [ObjectIdentifier: [RunLoop.Mode]] = [:]

  func modes(of timer: Timer) -> [RunLoop.Mode] { modes[ObjectIdentifier(timer)] ?? [] }

  /// Records a timer, or returns why it is refused.
  mutating func add(_ timer: Timer, _ mode: RunLoop.Mode, isValid: Bool) -> Refusal? {
    guard isValid else { return .invalid(mode: mode.rawValue) }
    let before = modes(of: timer)
    guard !before.contains(mode) else { return .addedTwice(mode: mode.rawValue) }
    if before.isEmpty { timers.append(timer) }
    modes[ObjectIdentifier(timer), default: []].append(mode)
    return nil
  }

  /// Removes a timer that will not fire any more.
  mutating func remove(_ id: ObjectIdentifier) {
    modes[id] = nil
    timers.removeAll { ObjectIdentifier($0) == id }
  }

  func contains(_ id: ObjectIdentifier) -> Bool { modes[id] != nil }

  subscript(id: ObjectIdentifier) -> Timer? { timers.first { ObjectIdentifier($0) == id } }
}
