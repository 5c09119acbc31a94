import Foundation

/// The timers that a scheduler has been given, and for which modes.
struct AddedTimers {
  /// Why a timer is not added.
  enum Refusal: Equatable, CustomStringConvertible {
    case invalid(mode: String)
    case addedTwice(mode: String)

    var description: String {
      switch self {
      case .invalid(let mode):
        """
        A timer was added for the mode '\(mode)' that is invalid, and will not fire. It may have \
        been invalidated before, or it has fired and does not repeat: create a new one.
        """
      case .addedTwice(let mode):
        """
        A timer was added for the mode '\(mode)' a second time, which has no effect. A timer that \
        has been added fires by itself until it is invalidated; the code may have meant to create \
        a new one.
        """
      }
    }
  }

  private(set) var timers: [Timer] = []
  private var modes: [ObjectIdentifier: [RunLoop.Mode]] = [:]

  func modes(of timer: Timer) -> [RunLoop.Mode] { modes[ObjectIdentifier(timer)] ?? [] }

  /// Records a timer, or says why not.
  mutating func add(_ timer: Timer, _ mode: RunLoop.Mode, isValid: Bool) -> Refusal? {
    guard isValid else { return .invalid(mode: mode.rawValue) }
    let before = modes(of: timer)
    guard !before.contains(mode) else { return .addedTwice(mode: mode.rawValue) }
    if before.isEmpty { timers.append(timer) }
    modes[ObjectIdentifier(timer), default: []].append(mode)
    return nil
  }

  /// Forgets a timer that will not fire any more.
  mutating func remove(_ id: ObjectIdentifier) {
    modes[id] = nil
    timers.removeAll { ObjectIdentifier($0) == id }
  }

  func contains(_ id: ObjectIdentifier) -> Bool { modes[id] != nil }

  subscript(id: ObjectIdentifier) -> Timer? { timers.first { ObjectIdentifier($0) == id } }
}
