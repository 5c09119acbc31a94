extension Int {
  /// The number with its thousands apart.
  package var grouped: String {
    var groups: [Substring] = []
    var digits = Substring(String(magnitude))
    while digits.count > 3 {
      groups.append(digits.suffix(3))
      digits = digits.dropLast(3)
    }
    groups.append(digits)
    return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }
}

extension Double {
  /// The number with so many decimals.
  package func rounded(decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let rounded = (self * scale).rounded() / scale
    return decimals == 0 ? Int(rounded).grouped : "\(rounded)"
  }
}

extension Duration {
  package var seconds: Double { self / .seconds(1) }
  package var microseconds: Double { self / .microseconds(1) }
  package var nanoseconds: Double { self / .nanoseconds(1) }
}

extension Collection<Double> {
  /// The value in the middle, or the mean of the two there; zero if there is none.
  package var median: Double {
    let sorted = sorted()
    guard let last = sorted.indices.last else { return 0 }
    return (sorted[last / 2] + sorted[sorted.count / 2]) / 2
  }
}
