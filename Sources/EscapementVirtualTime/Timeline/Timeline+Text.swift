extension Timeline {
  /// The last steps as text, one in a line.
  ///
  /// - Parameter count: How many steps; by default 20.
  /// - Returns: Lines such as `+3.0 seconds  task 7 “refresh” sleeps until +5.0 seconds`.
  public func text(last count: Int = 20) -> String {
    text(of: events.suffix(max(0, count)))
  }

  private func text(of shown: ArraySlice<TimelineEvent>) -> String {
    let instants = shown.map { "+\($0.instant.duration)" }
    let width = instants.map(\.count).max() ?? 0
    return zip(shown, instants).map { event, instant in
      let padding = String(repeating: " ", count: width - instant.count)
      return "\(instant)\(padding)  \(sentence(event))"
    }.joined(separator: "\n")
  }

  /// A paragraph for a report, with the last steps before the first one of the scope itself, or
  /// before the end.
  package var lastSteps: String {
    let steps = events.prefix { $0.kind != .reported }.suffix(20)
    return steps.isEmpty ? "" : "\n\nThe last steps in virtual time:\n\(text(of: steps))"
  }

  /// A step as a sentence without a full stop.
  func sentence(_ event: TimelineEvent) -> String {
    let task = [.ofHost, .reported].contains(event.kind) ? "" : name(event.task)
    switch event.kind {
    case .created:
      return event.other == 0 ? "\(task) is created" : "\(name(event.other)) creates \(task)"
    case .ready where event.other == 0: return "\(task) can run"
    case .ready where event.other == event.task: return "\(task) goes on"
    case .ready: return "\(name(event.other)) makes \(task) ready"
    case .ran: return "\(task) runs" + (actorName(event.other).map { " on \($0)" } ?? "")
    case .slept:
      let deadline = Nanoseconds(clamping: event.other)
      return deadline == .never
        ? "\(task) sleeps for ever" : "\(task) sleeps until +\(deadline.duration)"
    case .woke: return "\(task) wakes"
    case .sleepCancelled:
      let by = event.other == 0 || event.other == event.task ? "" : ", by \(name(event.other))"
      return "the sleep of \(task) is cancelled\(by)"
    case .holdOpened: return "\(task) holds time"
    case .holdClosed: return "\(task) holds time no longer"
    case .moved: return "\(task) moves time by hand"
    case .bodyEnded: return "the body ends"
    case .ofHost: return hosts.sentence(hosts[event])
    case .failed: return "\(task) fails: \(failures[Int(event.other)].message)"
    case .reported: return "the scope reports: \(failures[Int(event.other)].message)"
    }
  }
}
