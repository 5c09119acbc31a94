#if os(Linux)
  import CEventFiles
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

    @Test func `threads and files that services leave end with their scope`() async throws {
      let process = try await ProcessOfItsOwn(running: "ManyServicesTests")
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

  /// Run only in a process of its own.
  @Suite(.serialized, .enabled(if: ProcessOfItsOwn.isThis, "Run by the tests above."))
  struct ManyServicesTests {
    @Test(arguments: [ExecutionOrder.plain, .seed(1)])
    func `each scope leaves as many threads and files as the one before`(order: ExecutionOrder)
      async throws
    {
      try await leaveServices(order)
      let (files, threads) = (try count("fd"), try count("task"))
      for _ in 0..<50 { try await leaveServices(order) }
      // Threads end a moment later, and the process makes a few of its own.
      #expect(try count("fd") < files + 20)
      #expect(try count("task") < threads + 20)
    }

    /// Services that nobody stops: on one host some wait for files, as an event loop does, and some
    /// for a signal; on another one, a thread waits for clients.
    private func leaveServices(_ order: ExecutionOrder) async throws {
      try await withVirtualTime(order: order) { _ in
        let network = try SimulatedNetwork()
        let server = network.host("server")
        for port in 80..<84 {
          server.run {
            let listener = try Socket.listen(port: port)
            Thread.detachNewThread {
              let epoll = make_epoll()
              for file in [make_eventfd(false), listener.file] { _ = add_to_epoll(epoll, file) }
              var ready = [Int32](repeating: 0, count: 16)
              while wait_for_epoll(epoll, -1, &ready) > 0 {}
            }
            Thread.detachNewThread { DispatchSemaphore(value: 0).wait() }
          }
        }
        network.host("other").run {
          let listener = try Socket.listen(port: 80)
          Thread.detachNewThread { _ = listener.accept() }
          _ = try Socket.listen(port: 81)
        }
        try await Task.sleep(for: .seconds(1))
      }
    }

    private func count(_ kind: String) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count
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
