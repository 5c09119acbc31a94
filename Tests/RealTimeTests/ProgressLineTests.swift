import EscapementVirtualTime
import Testing
import _EscapementCore

/// The progress lines of scopes that run for longer than their `progressInterval`.
///
/// Each body goes on until it is heard, and no count ends it: a slow machine only takes longer.
@Suite struct ProgressLineTests {
  private final class Lines: Sendable {
    private let all = Lock<[String]>([])

    func append(_ line: String) { all.withLock { $0.append(line) } }

    /// The first line that contains a text.
    func first(with text: String) -> String? {
      all.withLock { lines in lines.first { $0.contains(text) } }
    }
  }

  private let lines = Lines()

  private var options: VirtualTimeOptions {
    var options = VirtualTimeOptions(jobLimit: .max, eventLimit: .max)
    options.progressInterval = .milliseconds(1)
    options.tellProgress = { [lines] in lines.append($0) }
    return options
  }

  @Test func `a simulation says how far it is, and where it was started`() async throws {
    // A slow machine may look twice between two deadlines, and then tells of jobs.
    let advances = "still advances"
    try await withVirtualTime(options) { _ in
      while lines.first(with: advances) == nil { try await Task.sleep(for: .seconds(60)) }
    }
    let line = try #require(lines.first(with: advances))
    #expect(line.hasPrefix("RealTimeTests/ProgressLineTests.swift:32 still advances after"))
    #expect(line.contains("deadlines have passed, up to +"))
  }

  @Test func `jobs that do not let time move say how many they are`() async throws {
    try await withVirtualTime(options) { _ in
      while lines.first(with: "still runs jobs") == nil { await Task.yield() }
    }
    let line = try #require(lines.first(with: "still runs jobs"))
    #expect(line.contains("jobs have run at +0.0 seconds without a pause"))
  }
}
