import CVirtualTime

/// A task, as reports show it.
struct TaskDescription: Hashable, Sendable, CustomStringConvertible {
  let id: UInt64
  let name: String?

  init(id: UInt64, name: String?) {
    self.id = id
    self.name = name
  }

  /// A task that is not running, with its name if that can be seen.
  init(of task: UnsafeRawPointer) {
    let capacity = 512
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
      cvt_name_of(task, buffer.baseAddress!, capacity)
        ? String(cString: buffer.baseAddress!) : nil
    }
    self.init(id: cvt_number_of(task), name: name)
  }

  var description: String {
    name.flatMap(Self.shown).map { "task \(id) “\($0)”" } ?? "task \(id)"
  }

  /// The name that the code has given to a task, in one line that is not too long; `nil` if it is
  /// empty.
  static func shown(_ name: String) -> String? {
    let longest = 80
    let scalars = name.unicodeScalars
    guard !scalars.isEmpty else { return nil }
    var shown = String.UnicodeScalarView()
    for scalar in scalars.prefix(longest) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: shown.append(" ")
      default: shown.append(scalar)
      }
    }
    return String(shown) + (scalars.count > longest ? "…" : "")
  }

  /// The task that the current thread runs.
  static var current: TaskDescription? {
    cvt_current_task().map {
      TaskDescription(
        id: cvt_task_id($0), name: cvt_current_task_name().map(String.init(cString:)))
    }
  }
}
