import EscapementTesting
import Testing

@testable import Shop

@Suite(.virtualTime) struct SessionTests {
  let session = Session()

  @Test func `a session closes half an hour after a click`() async throws {
    await session.click()
    try await Task.sleep(for: .seconds(30 * 60) - .nanoseconds(1))
    #expect(await session.isOpen)
    try await Task.sleep(for: .nanoseconds(1))
    #expect(await session.isOpen == false)
  }

  @Test func `a second click keeps the session open`() async throws {
    await session.click()
    try await Task.sleep(for: .seconds(20 * 60))
    await session.click()
    try await Task.sleep(for: .seconds(20 * 60))
    #expect(await session.isOpen)
    try await Task.sleep(for: .seconds(10 * 60))
    #expect(await session.isOpen == false)
  }
}
