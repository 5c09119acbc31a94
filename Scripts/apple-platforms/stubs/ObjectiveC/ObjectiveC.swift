// The runtime of Objective-C, as Swift sees it. The classes are Swift classes, because the standard
// library of Linux has no interoperation with Objective-C. No declaration here is newer than the
// platforms of the package, and NSObject is not Sendable.
@_exported import Darwin

public protocol NSObjectProtocol: AnyObject {
  func isEqual(_ object: Any?) -> Bool
  var hash: Int { get }
  func copy() -> Any
}

open class NSObject: NSObjectProtocol, Hashable, CustomStringConvertible,
  CustomDebugStringConvertible, CVarArg
{
  public init() {}
  open func isEqual(_ object: Any?) -> Bool { fatalError() }
  open var hash: Int { fatalError() }
  open func copy() -> Any { fatalError() }
  open func mutableCopy() -> Any { fatalError() }
  open var description: String { fatalError() }
  open var debugDescription: String { fatalError() }
  public static func == (a: NSObject, b: NSObject) -> Bool { fatalError() }
  public func hash(into hasher: inout Hasher) { fatalError() }
  public var _cVarArgEncoding: [Int] { fatalError() }
}

public func autoreleasepool<Failure: Error, Result: ~Copyable>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result { fatalError() }
