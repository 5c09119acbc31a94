// A test that waits until something has happened, and fails if it does not happen.

import EscapementTesting
import Testing

@MainActor
final class Feed {  // app code
  private(set) var items: [String] = []

  func refresh() {
    Task {
      try await Task.sleep(for: .seconds(5))  // the network
      items = ["first", "second"]
    }
  }
}

@Test(.virtualTime) @MainActor
func `the feed is refreshed`() async throws {
  let feed = Feed()
  feed.refresh()
  try await eventually("the feed has items") { !feed.items.isEmpty }
  #expect(feed.items == ["first", "second"])
  #expect(VirtualTime.current?.now.offset == .seconds(5))
}
