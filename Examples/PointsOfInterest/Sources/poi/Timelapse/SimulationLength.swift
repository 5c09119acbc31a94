import ArgumentParser

/// How much time a simulation covers: at least an hour, at most ten years.
struct SimulationLength: Equatable {
  static let maximumDays = 3650

  let hours: Int

  /// Takes the one that is given, or a day if neither is.
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
