// The identities of clocks that SE-0526 adds. When the standard library has them, this does not compile any
// more: then delete the stand-ins.

/// What tells the clocks of the system apart.
public enum SystemClockID: Hashable, Sendable {
  case continuous
  case suspending
}

extension ContinuousClock: @retroactive Identifiable {
  /// The same for all clocks of this type.
  public var id: SystemClockID { .continuous }
}

extension SuspendingClock: @retroactive Identifiable {
  /// The same for all clocks of this type.
  public var id: SystemClockID { .suspending }
}
