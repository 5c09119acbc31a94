import Testing
import _EscapementCore

@Suite struct OffsetInstantTests {
  private struct Instant: OffsetInstant {
    typealias Duration = Swift.Duration

    var offset: Duration
  }

  private let end = Instant(offset: .longest)

  @Test func `the distance between two instants is the duration that was added`() {
    let instant = Instant(offset: .seconds(2))
    #expect(instant.advanced(by: .seconds(3)).offset == .seconds(5))
    #expect(instant.advanced(by: .seconds(-3)).offset == .seconds(-1))
    #expect(instant.duration(to: instant.advanced(by: .seconds(3))) == .seconds(3))
  }

  @Test func `the end of the range is reached and not exceeded`() {
    let beforeEnd = Instant(offset: .longest - .nanoseconds(1))
    #expect(beforeEnd < end)
    #expect(beforeEnd.advanced(by: .nanoseconds(1)) == end)
    #expect(beforeEnd.advanced(by: .nanoseconds(2)) == end)
    #expect(end.advanced(by: .longest) == end)
    #expect(Instant(offset: .seconds(-1)).duration(to: end) == .longest)
    #expect(end.duration(to: Instant(offset: .seconds(-2))) == .zero - .longest)
  }

  @Test func `instants are ordered by their offsets`() {
    let instants = [2, -1, 0].map { Instant(offset: .seconds($0)) }
    #expect(instants.sorted().map(\.offset) == [-1, 0, 2].map { .seconds($0) })
  }

  @Test func `an instant is described by its offset`() {
    #expect("\(Instant(offset: .milliseconds(1500)))" == "1.5 seconds")
  }
}
