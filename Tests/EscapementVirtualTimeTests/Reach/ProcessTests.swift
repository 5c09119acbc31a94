#if os(Linux)
  @preconcurrency import Dispatch
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  @Suite(.virtualStandardClocks) struct ProcessTests {
    @Test func `a file is closed at its instant although processes begin outside`() async throws {
      let isDone = Lock(false)
      Thread.detachNewThread {
        while !isDone.withLock({ $0 }) { runTrue() }
      }
      defer { isDone.withLock { $0 = true } }
      let log = try await sameLog(rounds: 100) { log in
        let pipe = Ends.ofPipe()
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.from)
        source.setEventHandler {
          log.mark("end")
          source.cancel()
        }
        source.activate()
        try await Task.sleep(for: .milliseconds(1))
        Glibc.close(pipe.to)
        try await Task.sleep(for: .milliseconds(1))
        log.mark("later")
        Glibc.close(pipe.from)
      }
      #expect(log == ["end@1", "later@2"])
    }
  }

  /// Runs a program that does nothing.
  private func runTrue() {
    var (process, status): (pid_t, Int32) = (0, 0)
    let name = strdup("true")
    defer { free(name) }
    precondition(posix_spawnp(&process, "true", nil, nil, [name, nil], environ) == 0)
    while waitpid(process, &status, 0) < 0 {}
  }
#endif
