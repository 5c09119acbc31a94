/// A set of numbers from 0 on, which is small if all numbers before some are in it, and few others.
struct NumberSet: Hashable {
  /// The number of words before these, which have all their bits.
  ///
  /// The first word here has not, and the last one has a bit.
  private var full = 0
  private var words: [UInt64] = []

  mutating func insert(_ number: Int) {
    let (word, bit) = (number / 64 - full, UInt64(number % 64))
    guard word >= 0 else { return }
    while words.count <= word { words.append(0) }
    words[word] |= 1 << bit
    let whole = words.prefix { $0 == .max }.count
    words.removeFirst(whole)
    full += whole
  }

  mutating func remove(_ number: Int) {
    let word = number / 64
    if word < full {
      words.insert(contentsOf: repeatElement(.max, count: full - word), at: 0)
      full = word
    }
    guard word - full < words.count else { return }
    words[word - full] &= ~(1 << UInt64(number % 64))
    while words.last == 0 { words.removeLast() }
  }
}
