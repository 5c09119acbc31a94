extension Timeline {
  /// The timeline as a trace in Chrome's JSON format, which Perfetto and Chrome's `about:tracing`
  /// show.
  ///
  /// A track is a task or an actor. Time is virtual: one second of the trace is one second of the
  /// scope. What happens at one instant takes no time, so a task that runs is a mark.
  ///
  /// - Complexity: O(*n*).
  public var chromeTrace: String {
    var lines: [String] = []
    // The numbers of tasks grow from 1, and those of actors and of other work are far from them.
    // Perfetto has a use of its own for the number 0.
    let farNumbers: UInt64 = 1_000_000_000
    func track(_ number: UInt64, _ name: String) {
      lines.append(
        #"{"ph":"M","pid":1,"tid":\#(number),"name":"thread_name","args":{"name":\#(json(name))}}"#)
    }
    func micros(_ instant: Nanoseconds) -> String {
      let fraction = String(instant % 1_000 + 1_000).dropFirst()
      return "\(instant / 1_000).\(fraction)"
    }
    func span(_ task: UInt64, _ name: String, _ start: Nanoseconds, _ end: Nanoseconds) {
      lines.append(
        #"{"ph":"X","pid":1,"tid":\#(task),"ts":\#(micros(start)),"dur":\#(micros(end - start)),"#
          + #""name":\#(json(name))}"#)
    }
    var seen: Set<UInt64> = []
    var actors: Set<UInt64> = []
    var asleep: [UInt64: Nanoseconds] = [:]
    let last = events.last?.instant ?? 0
    let places = places.map(\.description)
    for event in events {
      var task = event.task == 0 ? farNumbers : event.task
      if event.kind == .ofHost {
        let host = hosts[event].host
        task = 2 * farNumbers + UInt64(host)
        if seen.insert(task).inserted { track(task, hosts.name(host)) }
      }
      if seen.insert(task).inserted { track(task, name(event.task)) }
      if event.kind == .slept { asleep[task] = event.instant }
      if event.kind == .woke || event.kind == .sleepCancelled,
        let start = asleep.removeValue(forKey: task)
      {
        span(task, "sleep", start, event.instant)
      }
      let place = event.place == 0 ? nil : places[Int(event.place) - 1]
      let waitedIn = place.map { #","args":{"waitedIn":\#(json($0))}"# } ?? ""
      let mark =
        #""ph":"i","s":"t","pid":1,"ts":\#(micros(event.instant)),"name":\#(json(sentence(event)))\#(waitedIn)}"#
      lines.append(#"{"tid":\#(task),\#(mark)"#)
      if event.kind == .ran, let actor = actorName(event.other) {
        let number = event.other + farNumbers
        if actors.insert(number).inserted { track(number, actor) }
        lines.append(#"{"tid":\#(number),\#(mark)"#)
      }
    }
    for (task, start) in asleep.sorted(by: { $0.key < $1.key }) where last > start {
      span(task, "sleep", start, last)
    }
    return """
      {"displayTimeUnit":"ns","traceEvents":[
      \(lines.joined(separator: ",\n"))
      ]}

      """
  }
}

/// A string literal of JSON, which may also stand in a page.
func json(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    // No text may end the script of a page; the last two are ends of lines in JavaScript.
    case "<", "\u{0}"..."\u{1F}", "\u{2028}", "\u{2029}":
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
