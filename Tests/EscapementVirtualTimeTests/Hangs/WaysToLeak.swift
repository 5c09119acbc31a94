import EscapementVirtualTime
import TestSupport
import Testing

private let leftOver = "1 task was left over when the body of the virtual-time scope ended"
private let notEnded = "These tasks have not ended after their cancellation"

extension WayToHang {
  /// A task goes on after the body.
  static let leaking = [
    WayToHang(
      name: "a periodic task",
      message: [
        leftOver, "“poller”, asleep since +2.0 seconds until +3.0 seconds\n    in closure in",
        "Cancel or await each task before the body ends",
      ],
      error: nil
    ) { _ in
      Task(name: "poller") { while true { try await Task.sleep(for: .seconds(1)) } }
      try await Task.sleep(for: .milliseconds(2_500))
    },
    WayToHang(
      name: "a loop that swallows its cancellation",
      message: [leftOver, "“stubborn”", notEnded, "A loop may discard CancellationError"],
      error: nil
    ) { _ in
      Task(name: "stubborn") { while true { try? await Task.sleep(for: .seconds(1)) } }
      try await Task.sleep(for: .milliseconds(2_500))
    },
    WayToHang(
      name: "a task that waits for a continuation",
      message: [leftOver, notEnded, "in neverResumed()", "not resumed on cancellation"],
      error: nil
    ) { time in
      Task { await neverResumed() }
      await time.settle()
    },
    WayToHang(
      name: "a task that yields",
      message: [leftOver, notEnded, "Let each task end when it is cancelled."], error: nil
    ) { _ in
      Task { while true { await Task.yield() } }
      await Task.yield()
    },
    WayToHang(
      name: "tasks that start others when they are cancelled",
      message: [leftOver, notEnded], error: nil
    ) { time in
      @Sendable func respawn() {
        Task {
          try? await Task.sleep(for: .seconds(1))
          respawn()
        }
      }
      respawn()
      await time.settle()
    },
  ]
}
