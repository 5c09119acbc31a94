// Unified logging: only what the dependencies name, whose availability is not checked.
@_exported import Darwin

public class OSLog: @unchecked Sendable {
  public init(subsystem: String, category: String) { fatalError() }
  public static let `default` = OSLog(subsystem: "", category: "")
}
public struct OSLogType: Sendable {
  public static var fault: OSLogType { fatalError() }
  public static var error: OSLogType { fatalError() }
}
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer = #dsohandle, log: OSLog = .default,
  _ message: StaticString,
  _ arguments: any CVarArg...
) { fatalError() }
