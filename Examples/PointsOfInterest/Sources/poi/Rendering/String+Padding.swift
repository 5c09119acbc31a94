extension String {
  enum Side { case leading, trailing }

  /// The text with as many fillers on one side as it lacks to be `width` characters long.
  func padded(to width: Int, by side: Side = .trailing, with filler: Character = " ") -> String {
    let padding = String(repeating: filler, count: max(0, width - count))
    return side == .leading ? padding + self : self + padding
  }
}
