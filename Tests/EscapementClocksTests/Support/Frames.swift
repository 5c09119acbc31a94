/// A duration that is not `Swift.Duration`.
struct Frames: DurationProtocol, Hashable {
  var count = 0

  static let zero = Frames()
  static func + (lhs: Self, rhs: Self) -> Self { Frames(count: lhs.count + rhs.count) }
  static func - (lhs: Self, rhs: Self) -> Self { Frames(count: lhs.count - rhs.count) }
  static func / (lhs: Self, rhs: Int) -> Self { Frames(count: lhs.count / rhs) }
  static func * (lhs: Self, rhs: Int) -> Self { Frames(count: lhs.count * rhs) }
  static func / (lhs: Self, rhs: Self) -> Double { Double(lhs.count) / Double(rhs.count) }
  static func < (lhs: Self, rhs: Self) -> Bool { lhs.count < rhs.count }
}
