// All tests of a suite in virtual time, each in a scope of its own.

import EscapementTesting
import Foundation
import Testing

@Suite(.virtualTime(.init(wallClockStart: Date(timeIntervalSince1970: 1_735_689_599))))
struct NewYearTests {
  @Test func `the year changes after a second`() async throws {
    let lastSecond = Date()
    try await Task.sleep(for: .seconds(1))
    #expect(Date().timeIntervalSince(lastSecond) == 1)
    #expect(Date() == Date(timeIntervalSince1970: 1_735_689_600))
  }

  @Test(arguments: 1...24)
  func `every case starts at the same time`(hours: Int) async throws {
    try await Task.sleep(for: .seconds(3600 * hours))
    #expect(VirtualTime.current?.now.offset == .seconds(3600 * hours))
  }
}
