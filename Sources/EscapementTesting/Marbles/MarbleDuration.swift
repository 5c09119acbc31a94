/// Durations as diagrams write them.
enum MarbleDuration {
  /// The names of units of time, with their nanoseconds, the largest first.
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000),
    ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
  ]

  /// The nanoseconds of a unit of time, if there is one with the name.
  static func nanoseconds(ofUnit name: String) -> Int64? {
    let name = name == "µs" || name == "μs" ? "us" : name
    return units.first { $0.name == name }?.nanoseconds
  }

  /// The duration in the largest unit in which it is a whole number.
  static func text(_ nanoseconds: Int64) -> String {
    guard nanoseconds != 0 else { return "0ms" }
    let unit = units.first { nanoseconds % $0.nanoseconds == 0 } ?? ("ns", 1)
    return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
  }

  /// The nanoseconds of a number of units, or `nil` if they are not whole or too many.
  static func nanoseconds(_ number: some Collection<Character>, of unit: Int64) -> Int64? {
    var (value, scale) = (0 as UInt64, 1 as UInt64)
    var isFraction = false
    for character in number {
      guard character != "." else {
        isFraction = true
        continue
      }
      guard let digit = character.wholeNumberValue else { return nil }
      if isFraction {
        let (scaled, overflow) = scale.multipliedReportingOverflow(by: 10)
        guard !overflow else { return nil }
        scale = scaled
      }
      let (tenfold, first) = value.multipliedReportingOverflow(by: 10)
      let (sum, second) = tenfold.addingReportingOverflow(UInt64(digit))
      guard !first, !second else { return nil }
      value = sum
    }
    let product = value.multipliedFullWidth(by: UInt64(unit))
    guard product.high < scale else { return nil }
    let (quotient, rest) = scale.dividingFullWidth(product)
    return rest == 0 ? Int64(exactly: quotient) : nil
  }
}

extension Character {
  /// Whether the character is one of 0...9.
  var isDigit: Bool { isASCII && isWholeNumber }

  /// Whether the character takes no time in a diagram.
  var isBlank: Bool { isWhitespace && (unicodeScalars.count == 1 || self == "\r\n") }
}
