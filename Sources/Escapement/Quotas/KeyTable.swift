/// A dictionary that grows and is swept in small steps, so that no call takes long.
///
/// The keys are spread over dictionaries of a few hundred keys. When there are too many keys for
/// their number, one of them is split into two ("linear hashing", W. Litwin, 1980). So an insertion
/// moves a few hundred keys at most, however many there are.
struct KeyTable<Key: Hashable, Value> {
  private var parts: [[Key: Value]] = [[:]]
  /// The keys of a part are those whose hash ends with its index, in this number of bits or one
  /// more.
  private var bits = 0
  private var nextSweep = 0
  private(set) var count = 0

  /// The mean number of keys of a part above which one of them is split.
  private static var keysPerPart: Int { 128 }

  /// The number of steps of `sweep` that visit all keys once.
  var partCount: Int { parts.count }

  /// The value of a key, which the table does not store if it is `nil`.
  subscript(key: Key, hash: Int) -> Value? {
    get { parts[part(of: hash)][key] }
    _modify {
      let part = part(of: hash)
      let before = parts[part].count
      yield &parts[part][key]
      count += parts[part].count - before
      if count > parts.count * Self.keysPerPart { split() }
    }
  }

  /// Visits the keys of the next part, and removes those whose value is not needed any more.
  mutating func sweep(_ isNeeded: (Value) -> Bool) {
    nextSweep = nextSweep + 1 < parts.count ? nextSweep + 1 : 0
    guard parts[nextSweep].values.contains(where: { !isNeeded($0) }) else { return }
    let before = parts[nextSweep].count
    parts[nextSweep] = parts[nextSweep].filter { isNeeded($0.value) }
    count += parts[nextSweep].count - before
    if count == 0 { self = KeyTable() }
  }

  /// Changes all values.
  mutating func replaceValues(_ transform: (Value) -> Value) {
    for index in parts.indices { parts[index] = parts[index].mapValues(transform) }
  }

  private func part(of hash: Int) -> Int {
    let index = hash & (1 << (bits + 1) - 1)
    return index < parts.count ? index : index & (1 << bits - 1)
  }

  private mutating func split() {
    let (low, high) = (parts.count - 1 << bits, parts.count)
    let bit = 1 << bits
    var moved: [Key: Value] = [:]
    parts[low] = parts[low].filter { key, value in
      guard Self.hash(of: key) & bit != 0 else { return true }
      moved[key] = value
      return false
    }
    parts.append(moved)
    if high + 1 == 2 << bits { bits += 1 }
  }

  /// The hash with which a key is passed to the subscript.
  static func hash(of key: Key) -> Int { key.hashValue }
}
