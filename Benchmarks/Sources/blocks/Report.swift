import BenchmarkSupport
import Foundation

/// The figures of all subjects, each beside the first floor of its comparison.
struct Report: Encodable {
  struct Row: Encodable {
    let comparison: String
    let subject: Subject
    let scale: Int
    let nanoseconds: Double
    let allocations: Double?
    let bytes: Double?
    let slowest: Double?
    /// How many times as long as the floor.
    let ratio: Double
  }

  let rows: [Row]

  init(quick: Bool, measurements: [Series: Measurement]) {
    rows = Comparison.allCases.flatMap { comparison in
      comparison.scales(quick: quick).flatMap { scale in
        let floor = measurements[Series(subject: comparison.floors[0], scale: scale)]
        return (comparison.blocks + comparison.floors).compactMap { subject -> Row? in
          guard let floor, let measured = measurements[Series(subject: subject, scale: scale)]
          else { return nil }
          return Row(
            comparison: comparison.title, subject: subject, scale: scale,
            nanoseconds: measured.nanoseconds, allocations: measured.allocations,
            bytes: measured.bytes, slowest: measured.slowest,
            ratio: measured.nanoseconds / floor.nanoseconds)
        }
      }
    }
  }
}

// MARK: - As text

extension Report {
  var text: String {
    Comparison.allCases.map(table).joined(separator: "\n\n") + "\n\n" + growth
  }

  private func table(of comparison: Comparison) -> String {
    let hasKeys = comparison == .manyKeys || comparison == .manyTexts
    let columns = hasKeys ? ["bytes per key", "slowest us"] : ["allocations"]
    var table = Table(
      header: [comparison.title, comparison.scaleName, "ns"] + columns + ["x floor"])
    for row in rows where row.comparison == comparison.title {
      let values =
        hasKeys
        ? [row.bytes?.rounded(decimals: 0), row.slowest.map { ($0 / 1_000).rounded(decimals: 1) }]
        : [row.allocations?.rounded(decimals: 3)]
      table.append(
        [
          "  " + row.subject.rawValue, row.scale.grouped, row.nanoseconds.rounded(decimals: 1),
        ] + values.map { $0 ?? "-" } + [row.ratio.rounded(decimals: 2)])
    }
    return table.text
  }

  /// How the cost of a tick grows with the number of launchers, beside log n, and beside the floor,
  /// which misses the cache as well.
  private var growth: String {
    func growth(_ subject: Subject) -> String {
      let costs = rows.filter { $0.subject == subject }.map(\.nanoseconds)
      guard let few = costs.first, let many = costs.last else { return "-" }
      return "x\((many / few).rounded(decimals: 1))"
    }
    let scales = rows.filter { $0.subject == .launchers }.map(\.scale)
    guard let few = scales.first, let many = scales.last else { return "" }
    let logarithm = log2(Double(many)) / log2(Double(few))
    return """
      From \(few.grouped) to \(many.grouped) launchers a tick costs \(growth(.launchers)), bare \
      loops \(growth(.loops)), log n x\(logarithm.rounded(decimals: 1))
      """
  }
}
