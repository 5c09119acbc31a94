import Testing

@testable import EscapementVirtualTime

/// The progress lines of a scope that is looked at once a second.
@Suite struct ProgressTests {
  private let second: Nanoseconds = 1_000_000_000

  /// Looks once a second; returns the lines and the seconds at which they came.
  private func lines(
    for seconds: Int, options: VirtualTimeOptions = VirtualTimeOptions(),
    _ counts: (Int) -> Progress.Counts
  ) -> [(second: Int, line: String)] {
    var progress = Progress()
    return (0...seconds).compactMap { now in
      progress.look(at: Nanoseconds(now) * second, counts(now), of: options).map { (now, $0) }
    }
  }

  @Test func `a simulation says how far it is after 5 seconds, then whenever that has doubled`() {
    let lines = lines(for: 45) {
      Progress.Counts(now: Nanoseconds($0) * 60 * second, deadlines: 1_000 * $0, jobs: Int64($0))
    }
    #expect(lines.map(\.second) == [5, 10, 20, 40])
    #expect(
      lines.first?.line == """
        still advances after 5 seconds: 5,000 deadlines have passed, up to +300.0 seconds, 1,000 a \
        second. 'eventLimit' ends it at 1,000,000.
        """)
  }

  @Test func `jobs at one instant are counted since time has moved last`() {
    let lines = lines(for: 5) {
      Progress.Counts(now: Nanoseconds(min($0, 2)) * second, deadlines: 1, jobs: Int64(1_000 * $0))
    }
    #expect(
      lines.map(\.line) == [
        """
        still runs jobs after 5 seconds: about 3,000 jobs have run at +2.0 seconds without a pause, \
        1,000 a second. 'jobLimit' ends it at 1,000,000.
        """
      ])
  }

  @Test func `while time is held, a hundred times as many jobs may run`() {
    let lines = lines(for: 5) {
      Progress.Counts(now: 0, deadlines: 0, jobs: Int64(1_000 * $0), isHeld: true)
    }
    #expect(lines.count == 1)
    #expect(lines[0].line.hasSuffix("'jobLimit' ends it at 100,000,000, since time is held."))
  }

  @Test func `a scope that waits, or that one job keeps, says nothing`() {
    #expect(lines(for: 60) { _ in Progress.Counts(now: 0, deadlines: 3, jobs: 7) }.isEmpty)
  }

  @Test func `a scope in which threads move time, and no job begins, says how far it is`() {
    let lines = lines(for: 5) {
      Progress.Counts(now: Nanoseconds($0) * 1_000_000_000, deadlines: $0, jobs: 0)
    }
    #expect(lines.map(\.second) == [5])
    #expect(lines.first?.line.hasPrefix("still advances after 5 seconds") == true)
  }

  @Test func `a scope that goes on after a wait speaks at the first look after it`() {
    let lines = lines(for: 9) {
      Progress.Counts(now: 0, deadlines: 0, jobs: $0 < 8 ? 0 : 1)
    }
    #expect(lines.map(\.second) == [8])
  }

  @Test(arguments: [(interval: Duration.seconds(2), first: 2), (.milliseconds(2_001), 3)])
  func `the interval is an option`(interval: Duration, first: Int) {
    var options = VirtualTimeOptions()
    options.progressInterval = interval
    let lines = lines(for: 5, options: options) {
      Progress.Counts(now: 0, deadlines: 0, jobs: Int64($0))
    }
    #expect(lines.first?.second == first)
  }
}
