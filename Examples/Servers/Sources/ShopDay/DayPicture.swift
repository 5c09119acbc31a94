/// The day as a picture: lanes above each other, one column for each ten minutes.
struct DayPicture {
  let slices: [DayLog.Slice]

  var svg: String {
    let lanes = [
      Lane("orders sent", "#2a9d8f", slices.map(\.sent)),
      Lane("sent later: the warehouse does not answer", "#e9c46a", slices.map(\.later)),
      Lane("refused: too many customers", "#e76f51", slices.map(\.refused)),
      Lane("customers who wait for a packer", "#8ab17d", slices.map(\.waiting)),
      Lane(
        "circuit breaker of the warehouse is open", "#b5179e",
        slices.map { $0.isBreakerOpen ? 1 : 0 }),
      Lane("decisions without the store", "#457b9d", slices.map(\.storeFailures)),
    ]
    let width = slices.count * Lane.column
    let hours = stride(from: 0, through: 24, by: 3).map { hour in
      let x = hour * DayLog.slicesPerHour * Lane.column
      return "<text x=\"\(x)\" y=\"\(lanes.count * Lane.height + 14)\">\(hour)</text>"
    }
    let body = lanes.enumerated().map { $1.svg(at: $0 * Lane.height) }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 0 \(width + 30) \(lanes.count * Lane.height + 24)" \
      font-family="sans-serif" font-size="11">
      <rect x="-10" width="100%" height="100%" fill="white"/>
      \((body + hours).joined(separator: "\n"))
      </svg>
      """
  }

  private struct Lane {
    static let column = 5
    static let height = 64

    let title: String
    let color: String
    let values: [Int]

    init(_ title: String, _ color: String, _ values: [Int]) {
      (self.title, self.color, self.values) = (title, color, values)
    }

    func svg(at top: Int) -> String {
      let highest = max(values.max() ?? 0, 1)
      let bars = values.enumerated().filter { $1 > 0 }.map { index, value in
        let height = max(value * 40 / highest, 1)
        return
          "<rect x=\"\(index * Self.column)\" y=\"\(top + 60 - height)\" width=\"\(Self.column - 1)\" "
          + "height=\"\(height)\" fill=\"\(color)\"/>"
      }
      return (["<text x=\"0\" y=\"\(top + 14)\">\(title), at most \(highest)</text>"] + bars)
        .joined(separator: "\n")
    }
  }
}
