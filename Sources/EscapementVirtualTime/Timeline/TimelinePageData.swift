import CReach

/// A timeline as a literal of JavaScript.
///
/// The events are columns, which take a fraction of the space of rows.
struct TimelinePageData {
  private let timeline: Timeline
  /// The texts of places, and their numbers from 1.
  private var places: (texts: [String], numbers: [String: Int]) = ([], [:])
  private var sources: [String] = []
  private var excerpts = SourceExcerpts()

  init(_ timeline: Timeline) { self.timeline = timeline }

  var text: String {
    var copy = self
    // A page of many tests would have no lines left for the last ones.
    return Symbols.$linesToFind.withValue(.max) { copy.write() }
  }

  private mutating func write() -> String {
    let (hosts, actors) = (timeline.hosts, timeline.actors)
    var (instants, tasks, others, kinds, waits) = ("", "", "", "", "")
    var (names, origins) = ([] as [String], [] as [String])
    var seen: Set<UInt64> = []
    var last: Nanoseconds = 0
    let texts = timeline.places.map { $0.description(lines: .max) }
    let firstWaits = firstWaits(in: texts)
    let placeNumbers = texts.map { $0.map { number(of: $0) } ?? 0 }
    for event in timeline.events {
      instants += "\(event.instant - last),"
      last = event.instant
      tasks += "\(event.task),"
      kinds += "\(event.kind.rawValue),"
      switch event.kind {
      case .slept where event.other >= Nanoseconds.never: others += "-1,"
      case .ofHost: others += "\(hosts.index(of: event)),"
      default: others += "\(event.other),"
      }
      waits += event.place == 0 ? "0," : "\(placeNumbers[Int(event.place) - 1]),"
      guard event.kind != .ofHost, seen.insert(event.task).inserted else { continue }
      let wait = timeline.origins.index(of: event.task).flatMap { firstWaits[$0] }
      if let origin = wait?.call ?? timeline.origins.function(of: event.task) {
        origins.append("\"\(event.task)\":\(number(of: origin))")
      }
      if let name = timeline.label(event.task, line: wait?.line) {
        names.append("\"\(event.task)\":\(json(name))")
      }
    }
    let failures = timeline.failures.map { failure in
      if let path = failure.path, let place = failure.place {
        addSource(place, path: path, line: failure.line)
      }
      return "[\(json(failure.message)),\(json(failure.place ?? ""))]"
    }
    return """
      {instants:[\(instants)],
      tasks:[\(tasks)],
      others:[\(others)],
      kinds:[\(kinds)],
      places:[\(waits)],
      placeTexts:[\(list(places.texts.map(json)))],
      names:{\(list(names))},
      origins:{\(list(origins))},
      sources:{\(list(sources))},
      failures:[\(list(failures))],
      actors:[\(list(actors.indices.map { json(timeline.actorName(UInt64($0) + 2) ?? "") }))],
      hosts:[\(list(hosts.lanes.map { "[\($0.host),\(json($0.name))]" }))],
      hostEvents:[\(list(hosts.events.map(hostEvent)))],
      body:\(timeline.body),dropped:\(timeline.dropped)}
      """
  }

  /// Of each function in which tasks begin, the first line in which one waits: that in which it
  /// begins is not known.
  private func firstWaits(in texts: [String?]) -> [UInt32: (call: String, line: Int)] {
    let calls = texts.map { text -> (call: String, line: Int)? in
      guard let call = text?.split(separator: " <- ").last, let line = line(of: call) else {
        return nil
      }
      return (String(call), line)
    }
    var waits: [UInt32: (call: String, line: Int)] = [:]
    for event in timeline.events where event.place > 0 {
      guard let call = calls[Int(event.place) - 1],
        let origin = timeline.origins.index(of: event.task)
      else { continue }
      if call.line < waits[origin]?.line ?? .max { waits[origin] = call }
    }
    return waits
  }

  /// The line at the end of a call.
  private func line(of call: Substring) -> Int? {
    call.firstMatch(of: #/\.swift:(\d+)$/#).flatMap { Int($0.output.1) }
  }

  private func list(_ items: [String]) -> String { items.joined(separator: ",") }

  /// The number of a place; its lines are added.
  private mutating func number(of place: String) -> Int {
    if let number = places.numbers[place] { return number }
    for call in place.split(separator: " <- ") {
      guard let path = Symbols.path(of: String(call)),
        let line = line(of: call)
      else { continue }
      addSource(String(call), path: path, line: line)
    }
    places.texts.append(place)
    places.numbers[place] = places.texts.count
    return places.texts.count
  }

  /// Adds the lines around a place, by its text: the number of the first line, and the lines.
  private mutating func addSource(_ place: String, path: String, line: Int) {
    guard let excerpt = excerpts.excerpt(of: path, around: line) else { return }
    let lines = list(excerpt.lines.map { json(String($0)) })
    sources.append("\(json(place)):[\(line),\(excerpt.first),[\(lines)]]")
  }

  /// The hosts, when it was sent, whether a host begins or ends to be stopped, or joins, and a
  /// sentence.
  private func hostEvent(_ event: HostEvent) -> String {
    let stops = event.stopsHost ? 1 : event.startsHost ? -1 : event.kind == rch_joins ? 2 : 0
    let sentence = json(timeline.hosts.sentence(event))
    return "[\(event.host),\(event.other),\(event.sentAt),\(stops),\(sentence)]"
  }
}
