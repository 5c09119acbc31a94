import EscapementVirtualTime
import _EscapementCore

extension MarbleSequence {
  /// Fails the test if the iterations of the sequence have not begun and ended as diagrams draw.
  ///
  /// ```swift
  /// source.expectIterations("^---!", "----^--|")
  /// ```
  ///
  /// There is a diagram for each iteration, in the order in which they began. The diagrams begin
  /// when the sequence was created, and have the same unit. In them, `^` is the creation of the
  /// iterator. `|` and `#` are the end and the failure, when the consumer got them. `!` is the
  /// cancellation: the consumer's task was cancelled while it waited, or the iterator was released
  /// before the end. A diagram that only has `^` is an iteration that goes on.
  ///
  /// - `diagrams`: The beginning and end of each iteration.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public func expectIterations(
    _ diagrams: String...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let iterations = log.iterations
    let now = log.now
    for (number, (text, actual)) in zip(diagrams, iterations).enumerated() {
      let diagram: MarbleDiagram
      do throws(MarbleSyntaxError) {
        diagram = try MarbleDiagram(text, unit: unit)
        _ = try MarbleValues.none.events(
          of: diagram, allowing: [.start, .cancellation, .end, .failure])
      } catch {
        return location.reportIssue(error.description)
      }
      let index = zip(diagram.events, actual)
        .prefix { $0.event == $1.event && $0.nanoseconds == $1.instant }.count
      guard index < diagram.events.count || index < actual.count else { continue }
      let comparison = MarbleComparison(
        diagram: diagram, actual: actual, index: index, legend: [], observedUntil: now)
      return location.reportIssue(comparison.message("Iteration \(number + 1)"))
    }
    guard diagrams.count != iterations.count else { return }
    let unit = unit.wholeNanoseconds
    let drawn = iterations.map { MarbleDiagram.draw($0, from: 0, to: 0, unit: unit) }
    location.reportIssue(
      """
      The sequence has been iterated \(iterations.count) times, and there are \(diagrams.count) diagrams:
      \(drawn.map { "- \($0)" }.joined(separator: "\n"))

      Each iteration has a diagram, in the order in which they began. An iteration that is missing has not \
      begun yet, or the code under test shares one.
      """)
  }
}
