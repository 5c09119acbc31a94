/// A set of numbers from 0 on, which is small if all numbers before some are in it, and few others.
///
/// Without memory of its own if these others are among the next 128.
struct NumberSet: Hashable {
  /// The number of words before the first one, which have all their bits.
  ///
  /// The first word has not. Of the others, the last one has a bit.
  private var full = 0
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var others: [UInt64] = []

  mutating func insert(_ number: Int) {
    let word = number / 64 - full
    guard word >= 0 else { return }
    self[word] |= 1 << UInt64(number % 64)
    while first == .max {
      full += 1
      first = second
      second = others.isEmpty ? 0 : others.removeFirst()
    }
  }

  mutating func remove(_ number: Int) {
    let word = number / 64
    while word < full {
      full -= 1
      if second != 0 || !others.isEmpty { others.insert(second, at: 0) }
      second = first
      first = .max
    }
    self[word - full] &= ~(1 << UInt64(number % 64))
    while others.last == 0 { others.removeLast() }
  }

  /// The word in this place behind those that are full.
  private subscript(place: Int) -> UInt64 {
    get {
      switch place {
      case 0: first
      case 1: second
      default: place - 2 < others.count ? others[place - 2] : 0
      }
    }
    set {
      switch place {
      case 0: first = newValue
      case 1: second = newValue
      default:
        while others.count <= place - 2 { others.append(0) }
        others[place - 2] = newValue
      }
    }
  }
}
