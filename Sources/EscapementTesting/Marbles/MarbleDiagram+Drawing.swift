extension MarbleDiagram {
  /// Draws events that happen between two instants.
  ///
  /// Parsing the text gives the same events at the same instants. What happens less than one unit
  /// after the event before is in one group with it.
  ///
  /// - Parameters:
  ///   - events: The events, in order, with their instants.
  ///   - prefix: The text before, with which the drawing is joined.
  ///   - start: The instant at which the drawing begins.
  ///   - end: The instant up to which dashes are drawn, unless the last event is the end or a
  ///     failure.
  ///   - unit: The nanoseconds of a unit.
  ///   - dashes: How many dashes there may be in a row; a longer time is drawn as a duration.
  /// - Complexity: O(*n*).
  static func draw(
    _ events: some BidirectionalCollection<(event: Event, instant: Int64)>,
    after prefix: Substring = "", from start: Int64, to end: Int64, unit: Int64, dashes: Int64 = 60
  ) -> String {
    var (text, cursor, hasEnded) = (String(prefix), start, false)
    var index = events.startIndex
    while index < events.endIndex {
      let first = events[index]
      append(first.instant - cursor, unit, dashes, to: &text)
      var (group, count, last) = (String(first.event.symbol), 1, first.instant)
      index = events.index(after: index)
      while index < events.endIndex, events[index].instant - last < unit {
        let (event, instant) = events[index]
        if instant > last { append(instant - last, nil, dashes, to: &group) }
        append(event.symbol, to: &group)
        (last, count) = (instant, count + 1)
        index = events.index(after: index)
      }
      if count > 1 { text += "(\(group))" } else { append(first.event.symbol, to: &text) }
      hasEnded = events[events.index(before: index)].event.isLast
      cursor = last.addingReportingOverflow(unit).partialValue
    }
    if end > cursor, !hasEnded { append(end - cursor, unit, dashes, to: &text) }
    return text
  }

  /// Draws time in which nothing happens: as dashes, if these are few.
  private static func append(
    _ gap: Int64, _ unit: Int64?, _ dashes: Int64, to text: inout String
  ) {
    guard gap > 0 else { return }
    if let unit, gap.isMultiple(of: unit), gap / unit <= dashes {
      text += String(repeating: "-", count: Int(gap / unit))
    } else {
      text += (text.last?.isBlank == true ? "" : " ") + "\(MarbleDuration.text(gap)) "
    }
  }

  /// Keeps a digit and a letter apart, which together might be a duration, and parts of one
  /// character.
  private static func append(_ symbol: Character, to text: inout String) {
    if let last = text.last,
      last.isDigit && symbol.isLetter || "\(last)\(symbol)".count == 1
    {
      text += " "
    }
    text.append(symbol)
  }
}
