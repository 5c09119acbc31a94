import EscapementVirtualTime
import _EscapementCore

/// Observes a sequence for as long as a diagram takes, and compares.
struct MarbleExpectation<Element: Equatable & Sendable> {
  let values: MarbleValues<Element>
  let failure: any Error
  let pause: Duration
  let location: SourceLocation

  func check<Elements: AsyncSequence & SendableMetatype>(
    _ text: String, unit: Duration, _ sequence: Elements, isolation: isolated (any Actor)?
  ) async throws -> Bool where Elements.Element == Element {
    guard let time = MarbleTime() else {
      location.reportIssue(MarbleTime.missing("'expectMarbles'"))
      return false
    }
    guard pause >= .zero else {
      location.reportIssue(
        """
        'expectMarbles' needs a pause that is not negative (got \(pause)).

        The sequence was not iterated. The pause may be the result of a wrong subtraction.
        """)
      return false
    }
    let (diagram, expected): (MarbleDiagram, [TimedMarble<Element>])
    do throws(MarbleSyntaxError) {
      diagram = try MarbleDiagram(text, unit: unit)
      expected = try values.events(of: diagram, allowing: [.end, .failure, .cancellation])
    } catch {
      location.reportIssue(error.description)
      return false
    }
    let observation = MarbleObservation<Element>(time, limit: 2 * expected.count + 1_000)
    let task = observation.consume(sequence, pausing: pause, isolation: isolation)
    defer { task.cancel() }
    return try await follow(diagram, expected, observation, task, time, isolation: isolation)
  }

  private func follow(
    _ diagram: MarbleDiagram, _ expected: [TimedMarble<Element>],
    _ observation: MarbleObservation<Element>, _ task: Task<Void, Never>, _ time: MarbleTime,
    isolation: isolated (any Actor)?
  ) async throws -> Bool {
    if let cancellation = diagram.events.first(where: { $0.event == .cancellation }) {
      try await time.wait(until: cancellation.nanoseconds)
      if !observation.isOver { observation.add(.cancellation) }
      task.cancel()
    }
    let end = diagram.events.last.flatMap { $0.event.isLast ? $0.nanoseconds : nil }
    let lastInstant = end ?? diagram.length - 1
    try await time.wait(until: lastInstant)
    func difference(until instant: Int64) -> MarbleComparison? {
      .difference(
        diagram, expected, failure: failure, values: values,
        actual: Array(observation.entries.prefix { $0.instant <= instant }), until: instant)
    }
    guard difference(until: lastInstant) != nil else {
      task.cancel()
      try await time.wait(until: end ?? diagram.length)
      return true
    }
    // The report tells what comes late.
    var instant = lastInstant
    if !observation.isOver {
      let length = .nanoseconds(end ?? diagram.length) as Duration
      instant = time.reachable((length + max(length, diagram.unit * 10)).wholeNanoseconds)
      try await time.wait(until: instant)
    }
    location.reportIssue(difference(until: instant)?.message("The sequence") ?? "")
    return false
  }
}
