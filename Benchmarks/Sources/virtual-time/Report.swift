import BenchmarkSupport
import Foundation

/// The medians of all measurements.
struct Report: Codable {
  struct Row: Codable {
    let tasks: Int
    let sleeps: Int
    let subject: Subject
    let nanosecondsPerSleep: Double
    let processorNanosecondsPerSleep: Double
    let bytesPerSleeper: Double?
  }

  let repetitions: Int
  let rows: [Row]
  let scopes: ScopeReport
  let scopesInSequence: ScopesInSequence
}

extension Report.Row {
  init(_ series: Series, medianOf runs: [Measurement]) {
    let bytes = runs.compactMap(\.bytesPerSleeper)
    self.init(
      tasks: series.shape.tasks, sleeps: series.shape.sleeps, subject: series.subject,
      nanosecondsPerSleep: runs.map(\.nanosecondsPerSleep).median,
      processorNanosecondsPerSleep: runs.map(\.processorNanosecondsPerSleep).median,
      bytesPerSleeper: bytes.isEmpty ? nil : bytes.median)
  }

  var shape: Shape { Shape(tasks: tasks, sleeps: sleeps) }
}

// MARK: - As text

extension Report {
  var text: String {
    """
    Nanoseconds per sleep, medians of \(repetitions) processes
    \(table(of: Subject.allCases) { $0.nanosecondsPerSleep.rounded(decimals: 0) })

    The same in processor time, which the neighbours on a shared machine hardly change
    \(table(of: Subject.allCases) { $0.processorNanosecondsPerSleep.rounded(decimals: 0) })

    Bytes per sleeper; 'suspend and resume' is what a task takes without a clock
    \(table(of: Subject.sleeps + [.suspension]) { row in
      // What one task takes is less than what a page of memory can tell.
      row.tasks == 1 ? "-" : row.bytesPerSleeper?.rounded(decimals: 0) ?? "-"
    })

    \(growth)

    \(scopes.text)

    \(scopesInSequence.text)
    """
  }

  private var shapes: [Shape] {
    rows.map(\.shape).reduce(into: []) { shapes, shape in
      if !shapes.contains(shape) { shapes.append(shape) }
    }
  }

  private func row(_ subject: Subject, _ shape: Shape) -> Row? {
    rows.first { $0.subject == subject && $0.shape == shape }
  }

  private func table(of subjects: [Subject], _ cell: (Row) -> String) -> String {
    var table = Table(header: ["tasks x sleeps"] + subjects.map(\.rawValue))
    for shape in shapes {
      table.append([shape.description] + subjects.map { row($0, shape).map(cell) ?? "-" })
    }
    return table.text
  }

  /// How the processor time of a sleep grows with the number of sleepers: beside log n, and beside the floors,
  /// which miss the cache as well.
  private var growth: String {
    let small = shapes[1]
    let large = shapes[shapes.count - 1]
    func growth(_ subjects: Subject...) -> String {
      func cost(_ shape: Shape) -> Double {
        subjects.compactMap { row($0, shape)?.processorNanosecondsPerSleep }.reduce(0, +)
      }
      return "x\((cost(large) / cost(small)).rounded(decimals: 1))"
    }
    let logarithm = log2(Double(large.tasks)) / log2(Double(small.tasks))
    return """
      From \(small.tasks.grouped) to \(large.tasks.grouped) sleepers a sleep's processor time grows \
      \(Subject.sleeps.map { "\(growth($0)) (\($0.rawValue))" }.joined(separator: ", ")); \
      suspension and queue together \(growth(.suspension, .timerQueue)), \
      log n x\(logarithm.rounded(decimals: 1))
      """
  }
}
