import CVirtualTime

/// A text that is printed on standard error if the process dies while this object is alive, unless
/// it is killed from outside.
final class LastWords: Sendable {
  private let place: Int32

  /// - Parameter mark: A word that is set to 1 then, and outlives this object.
  init(_ text: String, marking mark: UnsafeMutablePointer<UInt32>? = nil) {
    place = cvt_keep_last_words("\n\(text)\n", mark)
  }

  deinit { cvt_forget_last_words(place) }
}
