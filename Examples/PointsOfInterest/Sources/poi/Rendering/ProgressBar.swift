/// A progress bar that is redrawn in place at each percent.
struct ProgressBar {
  /// The text that clears the line of the bar.
  static let erasure = "\r\u{1B}[K"

  private static let width = 40
  private var shownPercent: Int?

  /// The text that updates the bar to `fraction`, or `nil` if the bar already shows it.
  mutating func update(to fraction: Double) -> String? {
    let percent = Int(min(max(fraction, 0), 1) * 100)
    guard percent != shownPercent else { return nil }
    shownPercent = percent

    let done = Self.width * percent / 100
    let bar = String(repeating: "█", count: done) + String(repeating: "░", count: Self.width - done)
    return "\r\(bar) \("\(percent)".padded(to: 3, by: .leading)) %"
  }
}
