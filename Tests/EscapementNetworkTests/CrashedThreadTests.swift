#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  // Under Thread Sanitizer, threads of hosts that have crashed do not end.
  @Suite(.withoutThreadSanitizer) struct CrashedThreadTests {
    @Test func `threads of hosts that crash give their stacks back at the end of the scope`()
      async throws
    {
      let process = try await ProcessOfItsOwn(running: "ManyCrashedThreadsTests")
      #expect(process.status == 0, "\(process.output)")
    }

    @Test(.virtualTime) func `a thread of a host that has crashed can be joined`() async throws {
      let host = try SimulatedNetwork().host("host")
      let thread = host.performNow { makeSleepingThread() }
      try await Task.sleep(for: .seconds(1))
      host.crash()
      #expect(pthread_join(thread, nil) == 0)
    }
  }

  /// Run only in a process of its own.
  @Suite(.enabled(if: ProcessOfItsOwn.isThis, "Run by the tests above."))
  struct ManyCrashedThreadsTests {
    @Test func `memory of threads is used again`() async throws {
      try await crash(threads: 10)
      let before = try Self.addressSpace()
      for _ in 0..<10 { try await crash(threads: 30) }
      // Each stack has eight megabytes.
      #expect(try Self.addressSpace() - before < 1 << 30)
    }

    private func crash(threads count: Int) async throws {
      try await withVirtualTime { _ in
        let host = try SimulatedNetwork().host("host")
        host.performNow { for _ in 0..<count { _ = makeSleepingThread() } }
        try await Task.sleep(for: .seconds(1))
        host.crash()
        try await Task.sleep(for: .seconds(1))
      }
    }

    /// The bytes of the process.
    private static func addressSpace() throws -> Int {
      let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      return try #require(Int(text.prefix { $0 != " " })) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
  }

  /// A thread that waits to be joined, and sleeps.
  private func makeSleepingThread() -> pthread_t {
    var thread = pthread_t()
    #expect(
      pthread_create(
        &thread, nil,
        { _ in
          while true { sleep(100) }
        }, nil) == 0)
    return thread
  }
#endif
