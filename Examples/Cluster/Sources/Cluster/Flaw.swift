/// A bug that can be planted in a member, for tests that must find it.
public enum Flaw: Sendable {
  /// A leader answers until it hears of the next one, although its lease may have ended long ago.
  case trustsAnEndedLease
  /// A member says that a booking is safe when it is written, and not when it is on the disk.
  case forgetsToSync
  /// A booking that is sent again is a second booking.
  case appliesRetriesTwice
}
