import EscapementTesting
import Testing

@testable import Search

@Suite(.virtualTime) @MainActor
struct SearchFieldTests {
  let server = FakeServer()

  @Test func `the field asks after 300 ms of silence`() async throws {
    let field = SearchField(find: server.places)
    field.text = "P"
    try await Task.sleep(for: .milliseconds(300) - .nanoseconds(1))
    field.text = "Paris"
    try await Task.sleep(for: .seconds(1))
    #expect(server.times == [.milliseconds(600) - .nanoseconds(1)])
    #expect(field.places == ["Paris"])
  }

  @Test func `the field asks again after 1 and 2 seconds`() async throws {
    server.failures = 2
    let field = SearchField(find: server.places)
    field.text = "Paris"
    try await Task.sleep(for: .seconds(5))
    #expect(server.times == [300, 1_300, 3_300].map { .milliseconds($0) })
    #expect(field.places == ["Paris"])
  }

  @Test func `the field gives up after 10 seconds`() async throws {
    server.latency = .seconds(60)
    let field = SearchField(find: server.places)
    field.text = "Paris"
    try await Task.sleep(for: .milliseconds(10_300) - .nanoseconds(1))
    #expect(field.places == [])
    try await Task.sleep(for: .nanoseconds(1))
    #expect(field.places == nil)
  }
}
