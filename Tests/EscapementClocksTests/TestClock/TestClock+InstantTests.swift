import EscapementClocks
import Foundation
import Testing

@Suite struct TestClockInstantTests {
  private typealias Instant = TestClock<Duration>.Instant

  @Test func `instants are compared, moved and measured by their offsets`() {
    let instant = Instant(offset: .seconds(1))
    #expect(Instant() < instant)
    #expect(instant.advanced(by: .seconds(2)) == Instant(offset: .seconds(3)))
    #expect(instant.duration(to: Instant()) == .seconds(-1))
    #expect(Set([instant, instant, Instant()]).count == 2)
    #expect("\(instant)" == "1.0 seconds")
  }

  @Test func `durations beyond the range saturate`() {
    let end = Instant().advanced(by: .seconds(Int64.max))
    #expect(end.advanced(by: .nanoseconds(1)) == end)
    #expect(end.advanced(by: .seconds(Int64.max)) == end)
    #expect(end.advanced(by: .nanoseconds(-1)) < end)
    let start = Instant().advanced(by: .seconds(-Int64.max))
    #expect(start.advanced(by: .nanoseconds(-1)) == start)
    #expect(start.duration(to: end) == .seconds(Int64.max))
  }

  @Test func `a decoded instant equals the encoded one`() throws {
    let instant = Instant(offset: .milliseconds(1500))
    let data = try JSONEncoder().encode(instant)
    #expect(try JSONDecoder().decode(Instant.self, from: data) == instant)
  }
}
