import CVirtualTime

/// A text that is printed on standard error if a signal of its own, such as that of a trap, kills
/// the process while this object is alive.
final class LastWords: Sendable {
  private let place: Int32

  /// - Parameter mark: A word that is set to 1 then, and outlives this object.
  init(_ text: String, marking mark: UnsafeMutablePointer<UInt32>? = nil) {
    place = cvt_keep_last_words("\n\(text)\n", mark)
  }

  deinit { cvt_forget_last_words(place) }
}
