/// A line of a file of failing schedules: a test, and a schedule under which it fails.
///
/// The parts are separated by a tab. Files of several machines are merged with `sort -u`.
struct FailingSchedule: Hashable {
  let test: String
  let schedule: ExecutionSchedule

  init(test: String, schedule: ExecutionSchedule) {
    // A name may have any character; the line must stay one line with one tab.
    self.test = String(test.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    self.schedule = schedule
  }

  /// Reads a line; `nil` for one that is empty or a comment, which begins with `#`.
  init?(line: some StringProtocol) throws(ScheduleSyntaxError) {
    guard !line.isEmpty, line.first != "#" else { return nil }
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw ScheduleSyntaxError(
        text: String(line), offset: line.count, problem: .numberExpected)
    }
    self.init(test: String(parts[0]), schedule: try ExecutionSchedule(parsing: String(parts[1])))
  }

  var line: String { "\(test)\t\(schedule)\n" }
}
