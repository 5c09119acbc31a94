extension Timeline {
  /// The timeline as a page for a browser, in one file that needs no network.
  ///
  /// It has a lane for each task and each actor, and shows what each task waited for, with the lines
  /// of the source files that can be read. It opens at the first failure. It can be zoomed and
  /// searched.
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
    <button type="button" id="failure" hidden></button>
    <form id="tools">
    <input id="search" type="search" placeholder="Search tasks and steps" aria-label="Search">
    <button type="button" id="out" aria-label="Zoom out">&minus;</button>
    <button type="button" id="in" aria-label="Zoom in">+</button>
    <button type="button" id="fit">All</button>
    <label><input type="checkbox" id="steps"> one step, one column</label>
    </form>
    </header>
    <main id="view" tabindex="0"><canvas id="canvas"></canvas><div id="height"></div></main>
    <footer>
    <div id="detail">Click a lane to see what its task did and waited for.</div>
    <div id="source"></div>
    </footer>
    <script>
    const data = \(TimelinePageData(self).text);
    \(TimelinePage.script)
    \(TimelinePage.controls)
    </script>
    </body>
    </html>

    """
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
