import _EscapementCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The folder for the timelines of tests, which the environment names.
///
/// | variable | meaning |
/// | --- | --- |
/// | `ESCAPEMENT_TRACE=folder` | All scopes record. For each test that fails, a page and a trace are written. |
/// | `ESCAPEMENT_TRACE_TESTS=all` | They are written for each test. |
package struct TraceFolder: Sendable {
  let path: String
  let writesAll: Bool

  /// How many timelines have a name.
  private static let counts = Lock<[String: Int]>([:])

  package static let current = TraceFolder { getenv($0).map { String(cString: $0) } }

  init?(_ value: (String) -> String?) {
    guard let path = value("ESCAPEMENT_TRACE"), !path.isEmpty else { return nil }
    self.path = path
    writesAll = value("ESCAPEMENT_TRACE_TESTS") == "all"
  }

  /// Writes the timeline of a test, if its timeline is wanted.
  ///
  /// A file that cannot be written does not fail the test; a message is printed.
  package func write(_ timeline: Timeline, of name: String, hasFailed: Bool) {
    guard hasFailed || writesAll else { return }
    _ = mkdir(path, 0o777)
    let file = "\(path)/\(Self.fileName(name))"
    do throws(TimelineFileError) {
      try timeline.write(to: "\(file).html", title: name)
      try timeline.write(to: "\(file).json")
    } catch {
      print("ESCAPEMENT_TRACE: \(error)")
    }
  }

  /// The name with only letters, digits, dots and dashes, and with a number if there was such a name before.
  private static func fileName(_ name: String) -> String {
    let safe = String(
      name.prefix(120).map { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" ? $0 : "-" })
    let count = counts.withLock { counts in
      counts[safe, default: 0] += 1
      return counts[safe] ?? 1
    }
    return count == 1 ? safe : "\(safe)-\(count)"
  }
}

extension VirtualTimeOptions {
  /// Whether a timeline is to be recorded.
  ///
  /// The runs of an exploration record only if the option says so, since there may be thousands.
  var wantsTimeline: Bool {
    recordsTimeline || TraceFolder.current != nil && exploredRun?.stallsAtOnce != true
  }
}

extension Scope {
  /// What has been recorded, unless the code that has started the scope shows it.
  var timelineOfItsOwn: Timeline? { options.recorder == nil ? recorder?.timeline : nil }
}
