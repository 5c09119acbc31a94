import EscapementVirtualTime

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
    let lanes = Lanes(entries, shown).all
    let width = (lanes.flatMap(\.boxes).map(\.end).max() ?? 0) + 4
    let numbers = Dictionary(uniqueKeysWithValues: longest.enumerated().map { ($1, $0 + 1) })
    let rows = lanes.map { client, boxes in
      let calls = boxes.map { box(of: $0, number: numbers[$0.index]) }.joined()
      return """
        <tr><th>\(escaped(client))</th><td><div class="lane">\(calls)</div></td></tr>
        """
    }
    return """
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
      <p>\(heading). \(escaped(reason))</p>
      <table>
      \(rows.joined(separator: "\n"))
      </table>
      </body>
      </html>

      """
  }

  /// A call in its lane, with its number in the longest order that is right.
  private func box(of box: Lanes<M.Call, M.Answer>.Box, number: Int?) -> String {
    let entry = entries[box.index]
    var classes = entry.answer == nil ? "call open" : "call"
    if number != nil { classes += " made" }
    if misfits.contains(where: { $0.index == box.index }) { classes += " misfit" }
    return """
      <div class="\(classes)" style="left:\(box.start)ch;width:\(box.end - box.start + 2)ch">\
      \(escaped(entry.text))\(number.map { "<sup>\($0)</sup>" } ?? "")</div>
      """
  }
}
