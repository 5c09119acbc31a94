import CReach

extension Timeline {
  /// The timeline as a page for a browser, in one file that needs no network.
  ///
  /// It has a lane for each task and each actor, and shows what each task waited for. It can be
  /// zoomed and searched.
  ///
  /// - Parameter title: The title of the page.
  /// - Returns: The text of the page.
  /// - Complexity: O(*n*).
  public func html(title: String = "Timeline") -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(escaped(title))</title>
    <style>
    \(TimelinePage.style)
    </style>
    </head>
    <body>
    <header>
    <h1>\(escaped(title))</h1>
    <p id="summary"></p>
    <form id="tools">
    <input id="search" type="search" placeholder="Search tasks and steps" aria-label="Search">
    <button type="button" id="out" aria-label="Zoom out">&minus;</button>
    <button type="button" id="in" aria-label="Zoom in">+</button>
    <button type="button" id="fit">All</button>
    <label><input type="checkbox" id="steps"> one step, one column</label>
    </form>
    </header>
    <main id="view" tabindex="0"><canvas id="canvas"></canvas><div id="height"></div></main>
    <footer id="detail">Click a lane to see what its task did and waited for.</footer>
    <script>
    const data = \(pageData);
    \(TimelinePage.script)
    </script>
    </body>
    </html>

    """
  }

  /// The events as columns, which take a fraction of the space of rows.
  private var pageData: String {
    var (instants, tasks, others, kinds, places) = ("", "", "", "", "")
    var (placeTexts, placeIndexes) = ([] as [String], [:] as [String: Int])
    var named: [String] = []
    var seen: Set<UInt64> = []
    var last: Nanoseconds = 0
    for event in events {
      instants += "\(event.instant - last),"
      last = event.instant
      tasks += "\(event.task),"
      switch event.kind {
      case .slept where event.other >= Nanoseconds.never: others += "-1,"
      case .ofHost: others += "\(hosts.index(of: event)),"
      default: others += "\(event.other),"
      }
      kinds += "\(event.kind.rawValue),"
      let index = place(of: event).map { text in
        let index = placeIndexes[text] ?? placeTexts.count
        if index == placeTexts.count {
          placeIndexes[text] = index
          placeTexts.append(text)
        }
        return index + 1
      }
      places += "\(index ?? 0),"
      if event.kind != .ofHost, seen.insert(event.task).inserted, let name = label(event.task) {
        named.append("\"\(event.task)\":\(json(name))")
      }
    }
    return """
      {instants:[\(instants)],
      tasks:[\(tasks)],
      others:[\(others)],
      kinds:[\(kinds)],
      places:[\(places)],
      placeTexts:[\(placeTexts.map(json).joined(separator: ","))],
      names:{\(named.joined(separator: ","))},
      actors:[\(actors.indices.map { json(actorName(UInt64($0) + 2) ?? "") }.joined(separator: ","))],
      hosts:[\(hosts.lanes.map { "[\($0.host),\(json($0.name))]" }.joined(separator: ","))],
      hostEvents:[\(hosts.events.map(hostEvent).joined(separator: ","))],
      body:\(body),dropped:\(dropped)}
      """
  }

  /// The hosts, when it was sent, whether a host begins or ends to be stopped, or joins, and a
  /// sentence.
  private func hostEvent(_ event: HostEvent) -> String {
    let stops = event.stopsHost ? 1 : event.startsHost ? -1 : event.kind == rch_joins ? 2 : 0
    return "[\(event.host),\(event.other),\(event.sentAt),\(stops),\(json(hosts.sentence(event)))]"
  }
}

/// A text as HTML shows it.
package func escaped(_ text: String) -> String {
  text.reduce(into: "") { result, character in
    switch character {
    case "<": result += "&lt;"
    case "&": result += "&amp;"
    case "\"": result += "&quot;"
    default: result.append(character)
    }
  }
}

/// The parts of a page that are the same for all timelines.
enum TimelinePage {}
