import CVirtualTime

/// A text that is printed on standard error if a signal kills the process while this object is
/// alive.
final class LastWords: Sendable {
  private let place: Int32

  init(_ text: String) { place = cvt_keep_last_words("\n\(text)\n") }

  deinit { cvt_forget_last_words(place) }
}
