// Dispatch, as Swift sees it on Apple platforms: only what the package and its dependencies use.
// Availability is that of developer.apple.com/documentation/dispatch: no declaration here is newer
// than the platforms of the package. Work items and the protocols of sources are not Sendable
// there.
@_exported import Darwin

open class DispatchObject: @unchecked Sendable {
  public func activate() { fatalError() }
  public func suspend() { fatalError() }
  public func resume() { fatalError() }
  public func setTarget(queue: DispatchQueue?) { fatalError() }
}

public struct DispatchQoS: Equatable, Sendable {
  public enum QoSClass: Sendable {
    case background, utility, `default`, userInitiated, userInteractive, unspecified
  }
  public let qosClass: QoSClass
  public let relativePriority: Int
  public static let background = DispatchQoS(qosClass: .background, relativePriority: 0)
  public static let utility = DispatchQoS(qosClass: .utility, relativePriority: 0)
  public static let `default` = DispatchQoS(qosClass: .default, relativePriority: 0)
  public static let userInitiated = DispatchQoS(qosClass: .userInitiated, relativePriority: 0)
  public static let userInteractive = DispatchQoS(qosClass: .userInteractive, relativePriority: 0)
  public static let unspecified = DispatchQoS(qosClass: .unspecified, relativePriority: 0)
  public init(qosClass: QoSClass, relativePriority: Int) { fatalError() }
}

public struct DispatchWorkItemFlags: OptionSet, RawRepresentable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let barrier = DispatchWorkItemFlags(rawValue: 1)
  public static let enforceQoS = DispatchWorkItemFlags(rawValue: 2)
}

public class DispatchWorkItem {
  public init(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    block: @escaping @convention(block) () -> Void
  ) { fatalError() }
  public func perform() { fatalError() }
  public func wait() { fatalError() }
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
    execute: @escaping @Sendable @convention(block) () -> Void
  ) { fatalError() }
  public func notify(queue: DispatchQueue, execute: DispatchWorkItem) { fatalError() }
  public func cancel() { fatalError() }
  public var isCancelled: Bool { fatalError() }
}

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

@frozen public enum DispatchTimeInterval: Equatable, Sendable {
  case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never
}

public struct DispatchTime: Comparable, Sendable {
  public let rawValue: UInt64
  public static func now() -> DispatchTime { fatalError() }
  public static let distantFuture = DispatchTime(uptimeNanoseconds: 0)
  public init(uptimeNanoseconds: UInt64) { fatalError() }
  public var uptimeNanoseconds: UInt64 { fatalError() }
  public static func < (a: DispatchTime, b: DispatchTime) -> Bool { fatalError() }
  public static func == (a: DispatchTime, b: DispatchTime) -> Bool { fatalError() }
  public func distance(to other: DispatchTime) -> DispatchTimeInterval { fatalError() }
}

public struct DispatchWallTime: Comparable, Sendable {
  public static func now() -> DispatchWallTime { fatalError() }
  public static func < (a: DispatchWallTime, b: DispatchWallTime) -> Bool { fatalError() }
  public static func == (a: DispatchWallTime, b: DispatchWallTime) -> Bool { fatalError() }
}

public func + (time: DispatchWallTime, seconds: Double) -> DispatchWallTime { fatalError() }
public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }
public func - (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }
public func + (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }
public func - (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }

public final class DispatchSpecificKey<T>: Sendable {
  public init() {}
}

open class DispatchQueue: DispatchObject, @unchecked Sendable {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let concurrent = Attributes(rawValue: 1)
    public static let initiallyInactive = Attributes(rawValue: 2)
  }
  public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }

  public convenience init(
    label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
    autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
  ) { fatalError() }
  public class var main: DispatchQueue { fatalError() }
  public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
  public var label: String { fatalError() }

  public func sync(execute item: DispatchWorkItem) { fatalError() }
  public func sync(execute block: () -> Void) { fatalError() }
  public func sync<T>(execute work: () throws -> T) rethrows -> T { fatalError() }
  public func sync<T>(flags: DispatchWorkItemFlags, execute work: () throws -> T) rethrows -> T {
    fatalError()
  }
  public func async(execute item: DispatchWorkItem) { fatalError() }
  public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) { fatalError() }
  public func asyncAfter(
    wallDeadline: DispatchWallTime, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) { fatalError() }
  public func async(group: DispatchGroup, execute item: DispatchWorkItem) { fatalError() }
  public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) { fatalError() }
  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) { fatalError() }
  public func asyncAfter(deadline: DispatchTime, execute item: DispatchWorkItem) { fatalError() }
  public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { fatalError() }
  public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { fatalError() }
  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) { fatalError() }
}

open class DispatchGroup: DispatchObject, @unchecked Sendable {
  public override init() { fatalError() }
  public func enter() { fatalError() }
  public func leave() { fatalError() }
  public func wait() { fatalError() }
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) { fatalError() }
  public func notify(queue: DispatchQueue, work: DispatchWorkItem) { fatalError() }
}

open class DispatchSemaphore: DispatchObject, @unchecked Sendable {
  public init(value: Int) { fatalError() }
  @discardableResult public func signal() -> Int { fatalError() }
  public func wait() { fatalError() }
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
  public func wait(wallTimeout: DispatchWallTime) -> DispatchTimeoutResult { fatalError() }
}

public protocol DispatchSourceProtocol: AnyObject {
  func setEventHandler(
    qos: DispatchQoS, flags: DispatchWorkItemFlags,
    handler: (@Sendable @convention(block) () -> Void)?)
  func setEventHandler(handler: DispatchWorkItem)
  var data: UInt { get }
  func cancel()
  func resume()
  func suspend()
  func activate()
  var isCancelled: Bool { get }
}
extension DispatchSourceProtocol {
  public func setEventHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    handler: (@Sendable @convention(block) () -> Void)?
  ) { fatalError() }
  public func setCancelHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    handler: (@Sendable @convention(block) () -> Void)?
  ) { fatalError() }
  public func setRegistrationHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    handler: (@Sendable @convention(block) () -> Void)?
  ) { fatalError() }
  public func activate() { fatalError() }
  public var data: UInt { fatalError() }
}
public protocol DispatchSourceTimer: DispatchSourceProtocol {
  func schedule(
    deadline: DispatchTime, repeating interval: DispatchTimeInterval, leeway: DispatchTimeInterval)
}
extension DispatchSourceTimer {
  public func schedule(
    deadline: DispatchTime, repeating interval: Double,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) { fatalError() }
  public func schedule(
    wallDeadline: DispatchWallTime, repeating interval: DispatchTimeInterval = .never,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) { fatalError() }
  public func schedule(
    deadline: DispatchTime, repeating interval: DispatchTimeInterval = .never,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) { fatalError() }
}
public protocol DispatchSourceRead: DispatchSourceProtocol {}
public protocol DispatchSourceUserDataReplace: DispatchSourceProtocol {
  func replace(data: UInt)
}
public protocol DispatchSourceUserDataAdd: DispatchSourceProtocol {
  func add(data: UInt)
}
open class DispatchSource: DispatchObject, @unchecked Sendable {
  public struct TimerFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let strict = TimerFlags(rawValue: 1)
  }
  public class func makeTimerSource(flags: TimerFlags = [], queue: DispatchQueue? = nil)
    -> any DispatchSourceTimer
  {
    fatalError()
  }
  public class func makeReadSource(fileDescriptor: Int32, queue: DispatchQueue? = nil)
    -> any DispatchSourceRead
  {
    fatalError()
  }
  public class func makeUserDataReplaceSource(queue: DispatchQueue? = nil)
    -> any DispatchSourceUserDataReplace
  {
    fatalError()
  }
  public class func makeUserDataAddSource(queue: DispatchQueue? = nil)
    -> any DispatchSourceUserDataAdd
  { fatalError() }
}

public struct DispatchData: RandomAccessCollection, @unchecked Sendable {
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(index: Int) -> UInt8 { fatalError() }
}

public enum DispatchPredicate {
  case onQueue(DispatchQueue), onQueueAsBarrier(DispatchQueue), notOnQueue(DispatchQueue)
}
public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) { fatalError() }

open class DispatchIO: DispatchObject, @unchecked Sendable {
  public enum StreamType: UInt, Sendable { case stream, random }
  public struct CloseFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let stop = CloseFlags(rawValue: 1)
  }
  public convenience init(
    type: StreamType, fileDescriptor: Int32, queue: DispatchQueue,
    cleanupHandler: @escaping @Sendable (Int32) -> Void
  ) { fatalError() }
  public class func read(
    fromFileDescriptor: Int32, maxLength: Int, runningHandlerOn queue: DispatchQueue,
    handler: @escaping @Sendable (DispatchData, Int32) -> Void
  ) { fatalError() }
  public func read(
    offset: off_t, length: Int, queue: DispatchQueue,
    ioHandler: @escaping @Sendable (Bool, DispatchData?, Int32) -> Void
  ) { fatalError() }
  public func setLimit(lowWater: Int) { fatalError() }
  public func close(flags: CloseFlags = []) { fatalError() }
}
