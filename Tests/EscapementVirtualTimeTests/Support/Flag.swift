import _EscapementCore

/// Something that has happened or not.
final class Flag: Sendable {
  private let state = Lock(false)

  var isSet: Bool { state.withLock { $0 } }

  func set() { state.withLock { $0 = true } }
}
