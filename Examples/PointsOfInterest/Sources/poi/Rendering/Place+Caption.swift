import PointsOfInterest

extension Place {
  /// The name and the kind of the place, in `width` characters at most.
  ///
  /// The output fits into a terminal of 60 columns.
  func caption(width: Int) -> String {
    let kind = ", \(kind)"
    guard name.count + kind.count > width else { return name + kind }
    return name.prefix(width - kind.count - 1) + "…" + kind
  }
}
