import Dispatch
import EscapementVirtualTime
import Foundation
import Testing
import _EscapementCore

/// The progress lines of scopes that run for longer than their `progressInterval`.
///
/// Each body goes on until it is heard, and no count ends it: a slow machine only takes longer.
@Suite struct ProgressLineTests {
  private final class Lines: Sendable {
    private let all = Lock<[String]>([])

    func append(_ line: String) { all.withLock { $0.append(line) } }

    /// The highest number of jobs in a line.
    var mostJobs: Int {
      let counts = all.withLock { lines in
        lines.compactMap { $0.firstMatch(of: /about ([0-9,]+) jobs/)?.1 }
      }
      return counts.compactMap { Int($0.replacing(",", with: "")) }.max() ?? 0
    }

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
    let firstLine = #line + 3
    // A slow machine may look twice between two deadlines, and then tells of jobs.
    let advances = "still advances"
    try await withVirtualTime(options) { _ in
      while lines.first(with: advances) == nil { try await Task.sleep(for: .seconds(60)) }
    }
    let line = try #require(lines.first(with: advances))
    #expect(
      line.hasPrefix("RealTimeTests/ProgressLineTests.swift:\(firstLine) still advances after"))
    #expect(line.contains("deadlines have passed, up to +"))
  }

  @Test func `jobs that do not let time move say how many they are`() async throws {
    try await withVirtualTime(options) { _ in
      while lines.first(with: "still runs jobs") == nil { await Task.yield() }
    }
    let line = try #require(lines.first(with: "still runs jobs"))
    #expect(line.contains("jobs have run at +0.0 seconds without a pause"))
  }

  @Test func `turns of threads are jobs`() async throws {
    /// More than all else that runs in the scope.
    let rounds = 100_000
    try await withVirtualTime(options) { _ in
      let (ping, pong) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let ends = AsyncStream<Void>.makeStream()
      Thread.detachNewThread {
        for _ in 0..<rounds {
          ping.signal()
          pong.wait()
        }
        ends.continuation.finish()
      }
      Thread.detachNewThread {
        for _ in 0..<rounds {
          ping.wait()
          pong.signal()
        }
      }
      for await _ in ends.stream {}
    }
    // A line comes whenever the time has doubled.
    #expect(lines.mostJobs > 1_000)
  }
}
