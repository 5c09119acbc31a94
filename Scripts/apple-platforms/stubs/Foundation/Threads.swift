// Threads, queues, run loops and timers. Availability is that of
// developer.apple.com/documentation/foundation: a declaration without `@available` is older than
// the platforms of the package. A class is Sendable if Apple's headers mark it so, as the bindings
// of github.com/madsmtm/objc2-generated show, and if the package needs it; else this is stricter.

open class Operation: NSObject {}

open class OperationQueue: NSObject {
  open class var main: OperationQueue { fatalError() }
  open var maxConcurrentOperationCount: Int {
    get { fatalError() }
    set { fatalError() }
  }
  open func addOperation(_ block: @escaping @Sendable () -> Void) { fatalError() }
}

open class Thread: NSObject {
  public override init() { fatalError() }
  public convenience init(block: @escaping @Sendable () -> Void) { fatalError() }
  open func start() { fatalError() }
  open func main() { fatalError() }
  open var name: String? {
    get { fatalError() }
    set { fatalError() }
  }
  open class var isMainThread: Bool { fatalError() }
  open class var current: Thread { fatalError() }
  open class func detachNewThread(_ block: @escaping @Sendable () -> Void) { fatalError() }
  open class func sleep(forTimeInterval interval: TimeInterval) { fatalError() }
  open class var callStackReturnAddresses: [NSNumber] { fatalError() }
  open class var callStackSymbols: [String] { fatalError() }
}

open class NSNumber: NSObject {
  open var uintValue: UInt { fatalError() }
}

open class RunLoop: NSObject {
  public struct Mode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let `default` = Mode("default")
    public static let common = Mode("common")
  }
  open class var current: RunLoop { fatalError() }
  open class var main: RunLoop { fatalError() }
  open func add(_ timer: Timer, forMode mode: Mode) { fatalError() }
  open func run() { fatalError() }
  open func run(until limit: Date) { fatalError() }
  open func run(mode: Mode, before limit: Date) -> Bool { fatalError() }
  public func perform(_ block: @escaping @Sendable () -> Void) { fatalError() }
}

public class CFRunLoop {}
public func CFRunLoopGetMain() -> CFRunLoop! { fatalError() }
public func CFRunLoopStop(_ loop: CFRunLoop!) { fatalError() }
public class CFAllocator {}
public class CFRunLoopObserver {}
public struct CFRunLoopActivity: OptionSet, Sendable {
  public var rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
}
public struct CFRunLoopMode {
  public static var commonModes: CFRunLoopMode! { fatalError() }
}
public func CFRunLoopObserverCreateWithHandler(
  _ allocator: CFAllocator!, _ activities: UInt, _ repeats: Bool, _ order: Int,
  _ block: ((CFRunLoopObserver?, CFRunLoopActivity) -> Void)!
) -> CFRunLoopObserver! { fatalError() }
public func CFRunLoopAddObserver(
  _ loop: CFRunLoop!, _ observer: CFRunLoopObserver!, _ mode: CFRunLoopMode!
) { fatalError() }
public func CFRunLoopObserverInvalidate(_ observer: CFRunLoopObserver!) { fatalError() }

open class Timer: NSObject {
  open class func scheduledTimer(
    withTimeInterval interval: TimeInterval, repeats: Bool,
    block: @escaping @Sendable (Timer) -> Void
  ) -> Timer { fatalError() }
  public convenience init(
    timeInterval interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void
  ) { fatalError() }
  public convenience init(
    fire date: Date, interval: TimeInterval, repeats: Bool,
    block: @escaping @Sendable (Timer) -> Void
  ) { fatalError() }
  public override init() { fatalError() }
  open func fire() { fatalError() }
  open var fireDate: Date {
    get { fatalError() }
    set { fatalError() }
  }
  open var timeInterval: TimeInterval { fatalError() }
  open var tolerance: TimeInterval {
    get { fatalError() }
    set { fatalError() }
  }
  open func invalidate() { fatalError() }
  open var isValid: Bool { fatalError() }
  open var userInfo: Any? { fatalError() }
}
