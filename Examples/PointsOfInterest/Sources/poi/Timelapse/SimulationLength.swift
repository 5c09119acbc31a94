import ArgumentParser

/// The length of a simulation, from an hour to ten years.
struct SimulationLength: Equatable {
  static let maximumDays = 3650

  let hours: Int

  /// Uses the argument that is given, or one day if neither is given.
  init(hours: Int?, days: Int?) throws {
    switch (hours, days) {
    case (nil, nil):
      self.hours = 24
    case (let hours?, nil):
      try Self.check(hours, option: "--hours", maximum: Self.maximumDays * 24)
      self.hours = hours
    case (nil, let days?):
      try Self.check(days, option: "--days", maximum: Self.maximumDays)
      self.hours = days * 24
    case (_?, _?):
      throw ValidationError("Give either '--hours' or '--days', not both.")
    }
  }

  private static func check(_ value: Int, option: String, maximum: Int) throws {
    guard (1...maximum).contains(value) else {
      throw ValidationError("'\(option)' must be from 1 to \(maximum), but is \(value).")
    }
  }
}
