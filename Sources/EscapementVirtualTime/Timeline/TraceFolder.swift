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

  /// The names of files, with the number that the last one with the same beginning has.
  private static let taken = Lock<[String: Int]>([:])

  @TaskLocal package static var current: TraceFolder? = TraceFolder {
    getenv($0).map { String(cString: $0) }
  }

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
    makeFolder()
    let file = "\(path)/\(Self.unusedName(Self.fileName(name)))"
    do throws(TimelineFileError) {
      try timeline.write(to: "\(file).html", title: name)
      try timeline.write(to: "\(file).json")
    } catch {
      print("ESCAPEMENT_TRACE: \(error)")
    }
  }

  /// Makes the folder, and those in which it is; what goes wrong shows when the file is written.
  private func makeFolder() {
    var folder = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      folder += "/\(part)"
      _ = mkdir(folder, 0o777)
    }
  }

  /// The name with only letters, digits, dots and single dashes.
  package static func fileName(_ name: String) -> String {
    var (safe, isBehindGap) = ("", false)
    for character in name {
      let isSafe =
        (character.isLetter || character.isNumber || character == ".")
        && character.utf8.count <= 4
      if !isSafe {
        // At most one between two others.
        isBehindGap = true
        continue
      }
      if isBehindGap, !safe.isEmpty { safe.append("-") }
      isBehindGap = false
      safe.append(character)
      // File systems allow 255 bytes, also for those of a number and an ending.
      if safe.utf8.count > 200 { break }
    }
    return safe.isEmpty ? "timeline" : safe
  }

  /// The name, with a number if it is taken.
  private static func unusedName(_ name: String) -> String {
    taken.withLock { taken in
      var number = taken[name] ?? 0
      var file = name
      repeat {
        number += 1
        if number > 1 { file = "\(name)-\(number)" }
      } while number > 1 && taken[file] != nil
      taken[file] = 1
      taken[name] = number
      return file
    }
  }
}

extension VirtualTimeOptions {
  /// Whether a timeline is to be recorded.
  ///
  /// The runs of an exploration record only if the option says so, since there may be thousands.
  var wantsTimeline: Bool {
    recordsTimeline || TraceFolder.current != nil && exploredRun?.stallsAtOnce != true
  }

  /// Whether the failures in the body decide whether its timeline is written.
  var watchesFailures: Bool {
    TraceFolder.current?.writesAll == false && recorder == nil && wantsTimeline
  }
}

extension Scope {
  /// The recorded timeline, unless the code that has started the scope shows it.
  var timelineOfItsOwn: Timeline? { options.recorder == nil ? recorder?.timeline : nil }
}
