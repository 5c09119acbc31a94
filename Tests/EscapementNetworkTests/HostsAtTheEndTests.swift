#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  /// Hosts whose code has not ended when their scope ends.
  @Suite(.virtualStandardClocks, .withoutThreadSanitizer) struct HostsAtTheEndTests {
    @Test(arguments: Leftover.allCases)
    private func `no code of a host goes on after its scope`(leftover: Leftover) async throws {
      let log = Log<Int>()
      try await withVirtualTime { _ in
        try SimulatedNetwork().host("host").run { await leftover.count(in: log) }
        try await Task.sleep(for: .seconds(10.5))
      }
      let count = log.entries.count
      #expect(count >= 10)
      // A wait that ends with the scope ends at once.
      for _ in 0..<1000 { await Task { _ = sched_yield() }.value }
      #expect(log.entries.count == count)
    }

    @Test func `a service is not told of the end by its children, while a handler waits`()
      async throws
    {
      try await withVirtualTime { _ in
        let network = try SimulatedNetwork()
        network.host("client").run {
          await withTaskCancellationHandler {
            try? await Task.sleep(for: .seconds(1000))
          } onCancel: {
            sleep(1)
          }
        }
        network.host("server").run {
          try await withThrowingTaskGroup { group in
            group.addTask { try await Task.sleep(for: .seconds(100)) }
            try await group.next()
          }
        }
        try await Task.sleep(for: .seconds(1))
      }
    }

    @Test(.virtualTime) func `handlers of cancellations belong to the host of their task`()
      async throws
    {
      let host = try SimulatedNetwork().host("host")
      let isCurrent = Log<Bool>()
      let call = Task {
        try await host.perform {
          try await withTaskCancellationHandler {
            try await Task.sleep(for: .seconds(100))
          } onCancel: {
            isCurrent.append(host.isCurrent)
          }
        }
      }
      try await Task.sleep(for: .seconds(1))
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      #expect(isCurrent.entries == [true])
    }

    @Test func `so do those that the end of the scope calls`() async throws {
      let isCurrent = Log<Bool>()
      try await withVirtualTime { _ in
        let host = try SimulatedNetwork().host("host")
        host.run {
          await withTaskCancellationHandler {
            try? await Task.sleep(for: .seconds(100))
          } onCancel: {
            isCurrent.append(host.isCurrent)
          }
        }
        try await Task.sleep(for: .seconds(1))
      }
      #expect(isCurrent.entries == [true])
    }
  }

  /// Code that counts to 40, and does not end with its scope.
  private enum Leftover: CaseIterable {
    case thread, blockedTask, block

    func count(in log: Log<Int>) async {
      let count: @Sendable () -> Void = {
        for i in 0..<40 {
          sleep(1)
          log.append(i)
        }
      }
      switch self {
      case .thread: Thread.detachNewThread(count)
      case .blockedTask: count()
      case .block: DispatchQueue.global().async(execute: DispatchWorkItem(block: count))
      }
    }
  }
#endif
