import ArgumentParser
import Testing

@testable import poi

@Suite struct SimulationLengthTests {
  @Test func `the default is one day`() throws {
    #expect(try SimulationLength(hours: nil, days: nil).hours == 24)
  }

  @Test func `days have 24 hours`() throws {
    #expect(try SimulationLength(hours: nil, days: 365).hours == 8760)
    #expect(try SimulationLength(hours: 8760, days: nil).hours == 8760)
  }

  @Test func `lengths from an hour to ten years are valid`() throws {
    #expect(try SimulationLength(hours: 1, days: nil).hours == 1)
    #expect(try SimulationLength(hours: 87_600, days: nil).hours == 87_600)
    #expect(try SimulationLength(hours: nil, days: 3650).hours == 87_600)
  }

  @Test(
    arguments: [
      (0, nil, "'--hours' must be from 1 to 87600, but is 0."),
      (-1, nil, "'--hours' must be from 1 to 87600, but is -1."),
      (87_601, nil, "'--hours' must be from 1 to 87600, but is 87601."),
      (.max, nil, "'--hours' must be from 1 to 87600, but is 9223372036854775807."),
      (nil, 0, "'--days' must be from 1 to 3650, but is 0."),
      (nil, 3651, "'--days' must be from 1 to 3650, but is 3651."),
      (nil, .max, "'--days' must be from 1 to 3650, but is 9223372036854775807."),
      (1, 1, "Give either '--hours' or '--days', not both."),
    ] as [(Int?, Int?, String)])
  func `other lengths are refused`(hours: Int?, days: Int?, message: String) {
    let error = #expect(throws: ValidationError.self) {
      try SimulationLength(hours: hours, days: days)
    }
    #expect(error?.message == message)
  }
}
