/// Bugs that can be planted in a member, for tests that must find them.
public struct Flaws: OptionSet, Sendable, Hashable {
  /// One bit for each bug.
  public let rawValue: Int

  /// Makes a set of bugs from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A leader answers until it hears of the next one, although its lease may have ended long ago.
  public static let trustsAnEndedLease = Flaws(rawValue: 1)
  /// A member says that a booking is safe when it is written, and not when it is on the disk.
  public static let forgetsToSync = Flaws(rawValue: 2)
  /// A booking that is sent again is a second booking.
  public static let appliesRetriesTwice = Flaws(rawValue: 4)
}
