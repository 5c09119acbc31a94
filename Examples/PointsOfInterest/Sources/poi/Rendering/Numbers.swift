import Foundation

extension Int {
  /// The number with a comma before every three digits.
  var grouped: String { formatted(.number.locale(.englishUS)) }
}

extension Double {
  /// The number with commas and a fixed number of digits after the point.
  func fixed(fractionDigits: Int) -> String {
    formatted(.number.precision(.fractionLength(fractionDigits)).locale(.englishUS))
  }
}

extension Locale {
  /// The output does not depend on the user's locale.
  fileprivate static let englishUS = Locale(identifier: "en_US")
}
