import EscapementMockHTTP
import EscapementVirtualTime
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// All sessions share a queue. A scope that has it may need the main queue to go on, on which another scope waits for it.
@Suite struct ExploredRequestTests {
  @Test(arguments: 1...2)
  func `cancelled requests are explored in two scopes at once`(_: Int) async throws {
    try await withVirtualTime(order: .exploring(20)) { time in
      let http = MockHTTP()
      http.stub(.get, "/", returns: .text("late").delayed(by: .seconds(30)))
      let session = http.makeSession()
      await withTaskGroup { group in
        group.addTask {
          let task = Task { try await session.data(from: URL(string: "https://example.com/")!) }
          try? await time.sleep(for: .milliseconds(1))
          task.cancel()
          _ = try? await task.value
        }
        group.addTask {
          await Task.yield()
          await MainActor.run {}
        }
      }
      session.invalidateAndCancel()
    }
  }
}
