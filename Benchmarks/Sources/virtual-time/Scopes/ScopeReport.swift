import BenchmarkSupport

/// What scopes cost, beside what they cannot do without.
struct ScopeReport: Codable {
  struct Row: Codable {
    let series: ScopeSeries
    let cost: ScopeCost
    /// How much longer than a hundred sleeps in a long scope; the median of the rounds.
    let ratio: Double
    let processorRatio: Double
  }

  let rows: [Row]
  let hundredSleeps: ScopeCost

  /// Measures by turns, so that a slow minute of the machine does not hit all rounds of one figure.
  static func measure(rounds: Int, scopes: Int) async throws -> ScopeReport {
    var floors: [ScopeCost] = []
    var costs: [ScopeSeries: [ScopeCost]] = [:]
    for round in 1...rounds {
      Progress.show("scopes, round \(round) of \(rounds)")
      floors.append(try await .measureHundredSleeps(count: scopes))
      for series in ScopeSeries.all {
        costs[series, default: []].append(try await .measure(series, count: scopes))
      }
    }
    Progress.show("")
    return ScopeReport(
      rows: ScopeSeries.all.map { Row($0, costs[$0] ?? [], beside: floors) },
      hundredSleeps: ScopeCost(medianOf: floors))
  }

  var text: String {
    var table = Table(header: [
      "scopes", "begun by", "at a time", "per second", "us each", "processor us each",
      "x 100 sleeps", "the same in processor time",
    ])
    for row in rows {
      table.append([
        row.series.content.rawValue, row.series.origin.rawValue, "\(row.series.lanes)",
        (1_000_000 / row.cost.microseconds).rounded(decimals: 0),
        row.cost.microseconds.rounded(decimals: 1),
        row.cost.processorMicroseconds.rounded(decimals: 1), row.ratio.rounded(decimals: 2),
        row.processorRatio.rounded(decimals: 2),
      ])
    }
    return """
      Scopes, beside 100 sleeps of ten tasks in a long scope: \
      \(hundredSleeps.microseconds.rounded(decimals: 1)) us, processor time \
      \(hundredSleeps.processorMicroseconds.rounded(decimals: 1)) us
      \(table.text)
      """
  }
}

extension ScopeReport.Row {
  /// Compares what was measured in the same round.
  fileprivate init(_ series: ScopeSeries, _ costs: [ScopeCost], beside floors: [ScopeCost]) {
    self.init(
      series: series, cost: ScopeCost(medianOf: costs),
      ratio: zip(costs, floors).map { $0.microseconds / $1.microseconds }.median,
      processorRatio: zip(costs, floors).map {
        $0.processorMicroseconds / $1.processorMicroseconds
      }.median)
  }
}

extension ScopeCost {
  fileprivate init(medianOf costs: [ScopeCost]) {
    self.init(
      microseconds: costs.map(\.microseconds).median,
      processorMicroseconds: costs.map(\.processorMicroseconds).median)
  }
}
