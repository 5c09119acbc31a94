#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Says, in a line for standard error, that a scope still advances after some seconds of real time.
///
/// No limit of real time ends such a scope, since a slow machine would end it earlier. The line
/// names the count that does.
struct Progress {
  /// How far a scope has come.
  struct Counts: Equatable {
    var now: Nanoseconds
    var deadlines: Int
    var jobs: Int64
    var isHeld = false
  }

  private struct Sample {
    let realTime: Nanoseconds
    let counts: Counts
  }

  private var first: Sample?
  /// The sample of the last line, or the first one.
  private var told: Sample?
  /// The first sample at which the scope had the time that it has now.
  private var arrived: Sample?
  /// After how much real time the next line is due.
  private var due: Nanoseconds = 0

  /// Writes a line to standard error, at once and in one piece.
  @Sendable static func tell(_ line: String) {
    var line = line
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }

  /// Looks at the scope; returns the line if one is due and the scope has advanced since the last
  /// one.
  mutating func look(
    at realTime: Nanoseconds, _ counts: Counts, of options: VirtualTimeOptions
  ) -> String? {
    let sample = Sample(realTime: realTime, counts: counts)
    if arrived?.counts.now != counts.now { arrived = sample }
    guard let first, let told, let arrived else {
      (first, told) = (sample, sample)
      due = Nanoseconds(roundingUp: options.progressInterval)
      return nil
    }
    let elapsed = realTime - first.realTime
    guard elapsed >= due, counts != told.counts else { return nil }
    while due <= elapsed { due = 2 * max(due, 1) }
    self.told = sample
    let seconds = Int(elapsed / 1_000_000_000).formattedInGroups
    func rate(_ count: Int) -> String {
      Int(Double(count) * 1e9 / Double(realTime - told.realTime)).formattedInGroups
    }
    let deadlines = counts.deadlines - told.counts.deadlines
    if deadlines > 0 || counts.jobs == told.counts.jobs {
      return """
        still advances after \(seconds) seconds: \(counts.deadlines.formattedInGroups) deadlines have \
        passed, up to +\(counts.now.duration), \(rate(deadlines)) a second. \
        'eventLimit' ends it at \(options.eventLimit.formattedInGroups).
        """
    }
    let (limit, reason) =
      counts.isHeld
      ? (Patience.jobsWhileHeld(limit: options.jobLimit), ", since time is held")
      : (options.jobLimit, "")
    let jobs = Int(counts.jobs - arrived.counts.jobs).formattedInGroups
    return """
      still runs jobs after \(seconds) seconds: about \(jobs) jobs have run at \
      +\(counts.now.duration) without a pause, \(rate(Int(counts.jobs - told.counts.jobs))) a second. \
      'jobLimit' ends it at \(limit.formattedInGroups)\(reason).
      """
  }
}
