/// Rows and columns of text: the first column to the left, the others to the right.
package struct Table {
  private var rows: [[String]]

  package init(header: [String]) { rows = [header] }

  package mutating func append(_ row: [String]) { rows.append(row) }

  package var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.compactMap { column < $0.count ? $0[column].count : nil }.max() ?? 0
    }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
