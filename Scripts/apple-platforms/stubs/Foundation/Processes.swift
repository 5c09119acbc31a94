// The process and its locks. Availability is that of developer.apple.com/documentation/foundation:
// a declaration without `@available` is older than the platforms of the package. A class is
// Sendable if Apple's headers mark it so, as the bindings of github.com/madsmtm/objc2-generated
// show, and if the package needs it; else this is stricter.

open class ProcessInfo: NSObject {
  open class var processInfo: ProcessInfo { fatalError() }
  open var environment: [String: String] { fatalError() }
  open var arguments: [String] { fatalError() }
  open var systemUptime: TimeInterval { fatalError() }
  open var processName: String { fatalError() }
}

open class NSLock: NSObject, @unchecked Sendable {
  public override init() { fatalError() }
  open func lock() { fatalError() }
  open func unlock() { fatalError() }
  open func `try`() -> Bool { fatalError() }
}
open class NSRecursiveLock: NSObject {
  public override init() { fatalError() }
  open func lock() { fatalError() }
  open func unlock() { fatalError() }
}
open class NSCondition: NSObject, @unchecked Sendable {
  public override init() { fatalError() }
  open func lock() { fatalError() }
  open func unlock() { fatalError() }
  open func wait() { fatalError() }
  open func wait(until limit: Date) -> Bool { fatalError() }
  open func signal() { fatalError() }
  open func broadcast() { fatalError() }
}
