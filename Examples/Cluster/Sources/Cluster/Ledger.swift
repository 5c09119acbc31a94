/// The bookings that are safe, each of them once.
struct Ledger {
  private(set) var bookings: [Booking] = []
  /// How many entries it has taken over.
  private(set) var entryCount = 0
  private var ids: Set<String> = []
  private let appliesRetriesTwice: Bool

  init(flaws: Set<Flaw>) { appliesRetriesTwice = flaws.contains(.appliesRetriesTwice) }

  /// Takes over the entries that are safe, and leaves out bookings that were sent again.
  mutating func apply(_ entries: ArraySlice<Entry>) {
    for booking in entries.lazy.compactMap(\.booking) {
      if ids.insert(booking.id).inserted || appliesRetriesTwice { bookings.append(booking) }
    }
    entryCount = entries.endIndex
  }
}
