import EscapementTesting
import Foundation
import TestSupport
import Testing

private let newYear = Date(timeIntervalSince1970: 1_735_689_600)

@Suite struct DateAsWallClockInstantTests {
  @Test(arguments: [(0, Duration.zero), (0.1, .milliseconds(100)), (-1.5, .milliseconds(-1500))])
  func `a date is a duration since 1970`(seconds: TimeInterval, duration: Duration) {
    #expect(Date(timeIntervalSince1970: seconds).durationSince1970 == duration)
  }

  @Test func `sums of dates are exact to the microsecond`() {
    for milliseconds in 1...1000 {
      let date = newYear + TimeInterval(milliseconds) / 1000
      #expect(date.durationSince1970 - newYear.durationSince1970 == .milliseconds(milliseconds))
    }
  }

  @Test(arguments: [Double.infinity, 1e300, -.infinity, .nan])
  func `a scope refuses to start at a date beyond its range`(seconds: Double) async {
    let options = VirtualTimeOptions(wallClockStart: Date(timeIntervalSince1970: seconds))
    let error = await #expect(throws: VirtualTimeError.self) {
      try await withVirtualTime(options) { _ in }
    }
    #expect(error?.description.contains("wallClockStart") == true)
  }

  @Test func `options with a date are like those with a duration`() {
    let options = VirtualTimeOptions(
      mode: .manual, wallClockStart: newYear, standardClocks: .real, queuesAndThreads: .virtual,
      leftovers: .fail, stallLimit: .seconds(2), holdLimit: .seconds(3), blockLimit: .seconds(4),
      jobLimit: 5, eventLimit: 6)
    let expected = VirtualTimeOptions(
      mode: .manual, wallClockStart: newYear.durationSince1970, standardClocks: .real,
      queuesAndThreads: .virtual, leftovers: .fail, stallLimit: .seconds(2),
      holdLimit: .seconds(3), blockLimit: .seconds(4), jobLimit: 5, eventLimit: 6)
    #expect("\(options)" == "\(expected)")
  }

  @Test(.virtualTime(.init(mode: .manual, wallClockStart: newYear - 60)))
  func `time advances to a date`() async throws {
    let time = try VirtualTime.required
    let task = Task { try await time.sleep(for: .seconds(60)) }
    await time.advance(to: newYear - 0.000001)
    #expect(time.now.offset == .seconds(60) - .microseconds(1))
    #expect(time.sleepers.count == 1)
    await time.advance(to: newYear)
    try await task.value
    #expect(time.now.offset == .seconds(60))
    if VirtualTime.virtualizesStandardClocks { #expect(Date() == newYear) }
  }

  @Test(.virtualTime(.init(wallClockStart: newYear)))
  func `an advance to an earlier date is reported, and time does not move`() async throws {
    let time = try VirtualTime.required
    var line = 0
    let issues = await issues {
      line = #line + 1
      await time.advance(to: newYear - 1)
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("'wallClockStart'") == true)
    #expect(time.now.offset == .zero)
  }
}
