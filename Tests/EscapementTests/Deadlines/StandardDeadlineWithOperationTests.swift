import Escapement
import EscapementTesting
import StandardDeadlineWithOperation
import Testing

/// Without a label, the compiler prefers the standard library's `withDeadline`, which has fewer parameters.
@Suite(.virtualTime) struct StandardDeadlineWithOperationTests {
  @Test func `a trailing closure belongs to the standard library`() async throws {
    let clock = TestClock()
    #expect(await withDeadline(clock.now, clock: clock) { await Task.hasDeadline } == false)
    #expect(await withDeadline(.now + .seconds(5)) { await Task.hasDeadline } == false)
    #expect(await withDeadline(in: .seconds(5)) { await Task.hasDeadline } == false)
    #expect(
      await withDeadline(in: .seconds(5), clock: clock) { await Task.hasDeadline } == false)
    #expect(try await Escapement.withDeadline(in: .seconds(5)) { await Task.hasDeadline })
  }
}
