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

    var first: String? { all.withLock(\.first) }
  }

  private let lines = Lines()

  private var options: VirtualTimeOptions {
    var options = VirtualTimeOptions(jobLimit: .max, eventLimit: .max)
    options.progressInterval = .milliseconds(1)
    options.tellProgress = { [lines] in lines.append($0) }
    return options
  }

  @Test func `a simulation says how far it is, and where it was started`() async throws {
    try await withVirtualTime(options) { _ in
      while lines.first == nil { try await Task.sleep(for: .seconds(60)) }
    }
    let line = try #require(lines.first)
    #expect(line.hasPrefix("RealTimeTests/ProgressLineTests.swift:27 still advances after"))
    #expect(line.contains("deadlines have passed, up to +"))
  }

  @Test func `jobs that do not let time move say how many they are`() async throws {
    try await withVirtualTime(options) { _ in
      while lines.first == nil { await Task.yield() }
    }
    let line = try #require(lines.first)
    #expect(line.contains("jobs have run at +0.0 seconds without a pause"))
  }
}
