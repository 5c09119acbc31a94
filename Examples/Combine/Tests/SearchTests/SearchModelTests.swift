import EscapementTesting
import OpenCombine
import Search
import Testing

@Suite(.virtualTime(order: .exploring(100))) @MainActor struct SearchModelTests {
  private let model = SearchModel { text in text.isEmpty ? [] : ["\(text) lake", "\(text) park"] }

  /// Sleeps until an offset of the scope's time.
  private func sleep(until offset: Duration) async throws {
    let now = try VirtualTime.required.now.offset
    try await Task.sleep(for: offset - now)
  }

  @Test func `a search begins when the user has not typed for 300 ms`() async throws {
    model.text = "c"
    try await sleep(until: .milliseconds(250))
    model.text = "city"
    try await sleep(until: .nanoseconds(549_999_999))
    #expect(model.results.isEmpty)
    try await sleep(until: .milliseconds(550))
    #expect(model.results == ["city lake", "city park"])
  }

  @Test func `images are loaded for a row at most ten times a second`() async throws {
    let log = Log()
    let subscription = model.$loadedRow.dropFirst().sink { log.append($0) }
    defer { subscription.cancel() }
    for row in 1...25 {
      model.row = row
      try await Task.sleep(for: .milliseconds(11))
    }
    try await sleep(until: .seconds(1))
    #expect(log.entries.map(\.value) == ["1", "10", "19", "25"])
    #expect(log.entries.map(\.time) == [0, 100, 200, 300].map { .milliseconds($0) })
  }

  @Test func `a hint comes two seconds after a search that has found nothing`() async throws {
    model.text = "city"
    try await sleep(until: .seconds(1))
    model.text = ""
    try await sleep(until: .nanoseconds(3_299_999_999))
    #expect(model.hint == nil)
    try await sleep(until: .milliseconds(3_300))
    #expect(model.hint == "Try another word.")
  }
}
