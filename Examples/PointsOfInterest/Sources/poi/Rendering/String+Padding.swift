extension String {
  enum Side { case leading, trailing }

  /// The text, filled on one side to a length of `width` characters.
  func padded(to width: Int, by side: Side = .trailing, with filler: Character = " ") -> String {
    let padding = String(repeating: filler, count: max(0, width - count))
    return side == .leading ? padding + self : self + padding
  }
}
