// Tasks, queues and threads with names, so that reports are easy to read.

import Dispatch
import EscapementTesting
import Foundation
import Testing

struct Catalogue {  // app code
  let load: @Sendable (String) async throws -> Void

  func prefetch(_ items: [String]) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for item in items {
        group.addTask(name: "prefetch \(item)") { try await load(item) }
      }
    }
  }
}

@Test(.virtualTime) func `all items are loaded`() async throws {
  let catalogue = Catalogue { _ in try await Task.sleep(for: .seconds(1)) }
  try await catalogue.prefetch(["tea", "milk"])
  #expect(VirtualTime.current?.now.offset == .seconds(1))
}
