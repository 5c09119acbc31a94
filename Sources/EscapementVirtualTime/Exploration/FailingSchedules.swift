import _EscapementCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of failing schedules.
enum FailingSchedules {
  /// The folder of the journals: one of the user's own, since it outlives the process.
  static let journals: String = {
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    return "\(temporary)/escapement-\(getuid())"
  }()

  /// The schedules of a test in the file `.escapement/schedules` beside its source file.
  static func known(
    of test: String, beside sourceFile: String
  ) throws(MalformedLineError) -> [ExecutionSchedule] {
    guard let slash = sourceFile.lastIndex(of: "/") else { return [] }
    let path = "\(sourceFile[..<slash])/.escapement/schedules"
    guard let text = read(path) else { return [] }
    let name = FailingSchedule(test: test, schedule: .plain).test
    var schedules: [ExecutionSchedule] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      do throws(ScheduleSyntaxError) {
        guard let known = try FailingSchedule(line: line), known.test == name else { continue }
        schedules.append(known.schedule)
      } catch {
        throw MalformedLineError(path: path, line: index + 1, reason: error)
      }
    }
    return schedules
  }

  /// A line of the file of known schedules cannot be read.
  struct MalformedLineError: Error, CustomStringConvertible {
    let path: String
    let line: Int
    let reason: ScheduleSyntaxError

    var description: String {
      """
      \(path):\(line): \(reason)

      A line has the name of a test, a tab, and a schedule. A comment begins with '#'.
      """
    }
  }

  /// Adds a line to a file, which other processes may write to as well.
  static func append(_ schedule: FailingSchedule, to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard file >= 0 else { return }
    // One call, so that the lines of several processes do not mix.
    let line = Array(schedule.line.utf8)
    _ = write(file, line, line.count)
    close(file)
  }

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
