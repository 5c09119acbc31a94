import _EscapementCore

/// Brings changes of a configuration into a block, one after the other.
final class BlockReload<Settings: Equatable & Sendable>: Sendable {
  private struct State {
    var settings: Settings
    private var isRunning = false
    private var isNeeded = false

    init(settings: Settings) { self.settings = settings }

    /// Returns whether the caller has to reload.
    mutating func begin() -> Bool {
      isNeeded = true
      defer { isRunning = true }
      return !isRunning
    }

    mutating func mustGoOn() -> Bool {
      isRunning = isNeeded
      defer { isNeeded = false }
      return isRunning
    }
  }

  private let state: Lock<State>

  init(_ settings: Settings) { state = Lock(State(settings: settings)) }

  /// Replaces the settings if they have changed.
  ///
  /// If another thread does so already, it reads them once more after that.
  func run(
    _ read: () throws(InvalidArgumentError) -> Settings,
    replace: (Settings) throws(InvalidArgumentError) -> Void
  ) throws(InvalidArgumentError) {
    guard state.withLock({ $0.begin() }) else { return }
    var failure: InvalidArgumentError?
    while state.withLock({ $0.mustGoOn() }) {
      failure = nil
      do throws(InvalidArgumentError) {
        let settings = try read()
        guard state.withLock({ $0.settings }) != settings else { continue }
        try replace(settings)
        state.withLock { $0.settings = settings }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
