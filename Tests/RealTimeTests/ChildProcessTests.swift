import EscapementTesting
import Foundation
import TestSupport
import Testing

/// Processes that code of a scope starts: they run in real time.
@Suite(.virtualStandardClocks) struct ChildProcessTests {
  private static func start(_ command: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    try process.run()
    return process
  }

  /// Runs a body in a scope; returns what is reported.
  private func reports(
    _ body: @escaping @Sendable (VirtualTime) async throws -> Void
  ) async -> [String] {
    await issues {
      await #expect(throws: Never.self) { try await withVirtualTime { try await body($0) } }
    }.map(\.message)
  }

  @Test func `a scope warns once if time moves while its process runs`() async {
    let messages = await reports { _ in
      let processes = try (0..<2).map { _ in try Self.start("exec sleep 100") }
      for _ in 0..<3 { try await Task.sleep(for: .seconds(10)) }
      for process in processes { kill(process.processIdentifier, SIGKILL) }
    }
    #expect(messages.count == 1, "\(messages)")
    #expect(messages.first?.contains("has started a process") == true)
    #expect(messages.first?.contains("has moved to +10.0 seconds while") == true)
    #expect(messages.first?.contains("in 'hold { }'") == true)
  }

  @Test func `a thread that sleeps while its process runs is warned`() async {
    let messages = await reports { _ in
      let process = try Self.start("exec sleep 100")
      for _ in 0..<3 where process.isRunning { usleep(10_000) }
      kill(process.processIdentifier, SIGKILL)
    }
    #expect(messages.count == 1, "\(messages)")
  }

  @Test func `nothing is said of a process in a hold`() async {
    let messages = await reports { time in
      let status = try await time.hold {
        let process = try Self.start("sleep 0.05; exit 7")
        process.waitUntilExit()
        return process.terminationStatus
      }
      #expect(status == 7)
      try await Task.sleep(for: .seconds(10))
      #expect(time.now.offset == .seconds(10))
    }
    #expect(messages.isEmpty, "\(messages)")
  }

  @Test func `nothing is said of a process that has ended`() async {
    let messages = await reports { time in
      let process = try Self.start("exit 3")
      var status = siginfo_t()
      // In real time, and without taking the end from Foundation.
      await time.hold {
        _ = waitid(P_PID, id_t(process.processIdentifier), &status, WEXITED | WNOWAIT)
      }
      try await Task.sleep(for: .seconds(10))
    }
    #expect(messages.isEmpty, "\(messages)")
  }

  @Test func `nothing is said of a process if time stands`() async {
    let messages = await reports { _ in
      let process = try Self.start("exec sleep 100")
      for _ in 0..<10 { await Task.yield() }
      kill(process.processIdentifier, SIGKILL)
    }
    #expect(messages.isEmpty, "\(messages)")
  }

  @Test func `nothing is said of a process of another scope or of none`() async throws {
    let outside = try Self.start("exec sleep 100")
    let other = Task.detached {
      await reports { time in
        let process = try Self.start("exec sleep 100")
        _ = await time.hold { usleep(50_000) }
        kill(process.processIdentifier, SIGKILL)
      }
    }
    let messages = await reports { _ in
      for _ in 0..<100 { try await Task.sleep(for: .seconds(10)) }
    }
    #expect(messages.isEmpty, "\(messages)")
    _ = await other.value
    kill(outside.processIdentifier, SIGKILL)
  }
}
