import EscapementTesting
import Testing

@testable import Search

@Suite(.virtualTime(order: .exploring(1_000))) @MainActor
struct RaceTests {
  let server = FakeServer()

  @Test func `the field shows the places for its text`() async throws {
    let field = SearchField(find: server.places)
    server.latency = .milliseconds(600)
    field.text = "P"
    try await Task.sleep(for: .milliseconds(300))
    server.latency = .milliseconds(300)
    field.text = "Paris"
    try await Task.sleep(for: .seconds(1))
    #expect(field.places == ["Paris"])
  }
}
