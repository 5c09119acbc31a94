#if os(Linux)
  @preconcurrency import Dispatch
  import EscapementVirtualTime
  import TestSupport
  import Testing

  /// Handlers of cancellations that wait: the scope goes on meanwhile.
  @Suite(.virtualStandardClocks) struct CancellationWaitTests {
    @Test func `tasks that are left over may end while the handler of another one waits`()
      async throws
    {
      for _ in 0..<20 {
        let log = Log<Int>()
        let options = VirtualTimeOptions(leftovers: .ignore)
        try await withVirtualTime(options) { _ in
          for i in 0..<20 {
            Task {
              await withTaskCancellationHandler {
                try? await Task.sleep(for: .seconds(100))
              } onCancel: {
                let semaphore = DispatchSemaphore(value: 0)
                DispatchQueue.global().async { semaphore.signal() }
                semaphore.wait()
                log.append(i)
              }
            }
          }
        }
        #expect(log.entries.sorted() == Array(0..<20))
      }
    }
  }
#endif
