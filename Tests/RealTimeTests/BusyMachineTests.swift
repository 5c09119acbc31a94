#if os(Linux)
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  /// `BUSY_MACHINE=1 swift test --filter BusyMachineTests`: it keeps all processors busy, so that other tests wait.
  @Suite(.enabled(if: ProcessInfo.processInfo.environment["BUSY_MACHINE"] != nil))
  struct BusyMachineTests {
    // In a process of its own, since threads that have work of other tests delay what is found.
    @Test(.timeLimit(.minutes(2)))
    func `a stuck scope is found while other processes keep the machine busy`() async {
      await #expect(processExitsWith: .success) {
        let others = try (0..<3).map { _ in
          let other = Process()
          other.executableURL = URL(fileURLWithPath: "/bin/sh")
          other.arguments = ["-c", "i=0; while [ $i -lt 100000000 ]; do i=$((i + 1)); done"]
          try other.run()
          return other
        }
        defer { for other in others { other.terminate() } }
        let start = ContinuousClock.now
        let issues = await issues {
          _ = try? await withVirtualTime(VirtualTimeOptions(stallLimit: .milliseconds(200))) { _ in
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
          }
        }
        #expect(issues.count == 1)
        // It takes twice the limit if the machine is quiet.
        #expect(ContinuousClock.now - start < .seconds(10))
      }
    }
  }
#endif
