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
}
