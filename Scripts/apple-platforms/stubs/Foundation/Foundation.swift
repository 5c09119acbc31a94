// Foundation, as Swift sees it on Apple platforms: only what the package and its dependencies use.

@_exported import Darwin
@_exported import Dispatch
@_exported import ObjectiveC

public typealias TimeInterval = Double

@frozen
public struct CGFloat: SignedNumeric, Hashable, Comparable, Sendable, ExpressibleByFloatLiteral {
  public init(integerLiteral value: Int) { fatalError() }
  public init(floatLiteral value: Double) { fatalError() }
  public init(_ value: Double) { fatalError() }
  public init?<T: BinaryInteger>(exactly value: T) { fatalError() }
  public var magnitude: CGFloat { fatalError() }
  public static func < (a: CGFloat, b: CGFloat) -> Bool { fatalError() }
  public static func + (a: CGFloat, b: CGFloat) -> CGFloat { fatalError() }
  public static func - (a: CGFloat, b: CGFloat) -> CGFloat { fatalError() }
  public static func * (a: CGFloat, b: CGFloat) -> CGFloat { fatalError() }
  public static func *= (a: inout CGFloat, b: CGFloat) { fatalError() }
}

extension Double {
  public init(_ value: CGFloat) { fatalError() }
}
