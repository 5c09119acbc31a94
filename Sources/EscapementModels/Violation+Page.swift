extension Violation {
  /// The violation as a page for a browser, in one file that needs no network.
  ///
  /// It has a lane for each client. The longest order that is right is numbered; the calls that do
  /// not fit are red.
  ///
  /// - Parameter title: The title of the page.
  /// - Returns: The text of the page.
  /// - Complexity: O(*n* log *n*).
  public func html(title: String = "Violation") -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <title>\(escaped(title))</title>
    <style>
    :root { color-scheme: light dark; font: 14px/1.5 ui-monospace, monospace; }
    table { border-collapse: collapse; }
    th { padding-right: 2ch; text-align: left; font-weight: normal; }
    .lane { position: relative; height: 3em; width: \(width)ch; }
    .call { position: absolute; box-sizing: border-box; overflow: hidden; white-space: pre;
      padding: 0 1ch; border: 1px solid; border-radius: 4px; }
    .open { border-right: none; border-radius: 4px 0 0 4px; }
    .made { background: #2a62; }
    .misfit { background: #c336; }
    sup { position: absolute; right: 0.5ch; }
    </style>
    </head>
    <body>
    <h1>\(escaped(title))</h1>
    <p>No order of these calls gives their answers. \(escaped(reason))</p>
    <table>
    \(lanes.clients.map(row).joined(separator: "\n"))
    </table>
    </body>
    </html>

    """
  }

  private var lanes: Lanes<M.Call, M.Answer> { Lanes(entries) }

  private var width: Int { (lanes.boxes.map(\.end).max() ?? 0) + 4 }

  private func row(of client: String) -> String {
    let calls = lanes.boxes(of: client).map { box in
      let entry = entries[box.index]
      let place = longest.firstIndex(of: box.index)
      var classes = entry.answer == nil ? "call open" : "call"
      if place != nil { classes += " made" }
      if misfits.contains(where: { $0.index == box.index }) { classes += " misfit" }
      let number = place.map { "<sup>\($0 + 1)</sup>" } ?? ""
      return """
        <div class="\(classes)" style="left:\(box.start)ch;width:\(box.end - box.start + 2)ch">\
        \(escaped(entry.text))\(number)</div>
        """
    }
    return """
      <tr><th>\(escaped(client))</th><td><div class="lane">\(calls.joined())</div></td></tr>
      """
  }
}

private func escaped(_ text: String) -> String {
  text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
}
