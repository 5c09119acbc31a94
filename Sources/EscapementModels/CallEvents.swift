/// The beginnings and ends of all calls that have not been made, in their order.
///
/// A list in which a call is taken out, and put back, in O(1).
struct CallEvents {
  /// The call of each event, and the events of each call.
  let calls: [Int]
  let beginnings: [Int]
  let ends: [Int?]
  /// The event after each one, and that before; the place behind the last event is the list's head.
  private(set) var next: [Int]
  private var former: [Int]

  /// - Parameter spans: The beginnings and the ends of the calls, in the order of the beginnings.
  init(_ spans: [(beginning: Int, end: Int?)]) {
    let events = spans.enumerated().flatMap { number, span in
      [(span.beginning, number)] + (span.end.map { [($0, number)] } ?? [])
    }.sorted { $0.0 < $1.0 }
    calls = events.map(\.1)
    let places = Dictionary(uniqueKeysWithValues: events.indices.map { (events[$0].0, $0) })
    beginnings = spans.map { places[$0.beginning]! }
    ends = spans.map { $0.end.map { places[$0]! } }
    let count = events.count
    next = (0...count).map { $0 == count ? 0 : $0 + 1 }
    former = (0...count).map { $0 == 0 ? count : $0 - 1 }
  }

  /// The first event.
  var first: Int { next[calls.count] }

  mutating func takeOut(_ call: Int) {
    takeOut(event: beginnings[call])
    if let end = ends[call] { takeOut(event: end) }
  }

  /// Puts the events of the call back that was taken out last.
  mutating func putBack(_ call: Int) {
    if let end = ends[call] { putBack(event: end) }
    putBack(event: beginnings[call])
  }

  private mutating func takeOut(event: Int) {
    next[former[event]] = next[event]
    former[next[event]] = former[event]
  }

  private mutating func putBack(event: Int) {
    next[former[event]] = event
    former[next[event]] = event
  }
}
