public import Escapement
public import Foundation

extension TimeZone: UTCOffsets {
  /// Returns by how many seconds local time is ahead of UTC at an instant.
  ///
  /// - Parameter second: A number of seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public func secondsFromUTC(at second: Int) -> Int {
    secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second)))
  }
}
