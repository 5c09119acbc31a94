// Files. Availability is that of developer.apple.com/documentation/foundation: a declaration
// without `@available` is older than the platforms of the package. A class is Sendable if Apple's
// headers mark it so, as the bindings of github.com/madsmtm/objc2-generated show, and if the
// package needs it; else this is stricter.

public func NSTemporaryDirectory() -> String { fatalError() }

open class FileManager: NSObject {
  open class var `default`: FileManager { fatalError() }
  open var temporaryDirectory: URL { fatalError() }
  open var currentDirectoryPath: String { fatalError() }
  open func createDirectory(
    atPath path: String, withIntermediateDirectories: Bool,
    attributes: [FileAttributeKey: Any]? = nil
  ) throws { fatalError() }
  open func createDirectory(
    at url: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
  ) throws { fatalError() }
  open func contentsOfDirectory(atPath path: String) throws -> [String] { fatalError() }
  open func contents(atPath path: String) -> Data? { fatalError() }
  open func fileExists(atPath path: String) -> Bool { fatalError() }
  open func removeItem(atPath path: String) throws { fatalError() }
  open func removeItem(at url: URL) throws { fatalError() }
}
public struct FileAttributeKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

open class FileHandle: NSObject {
  open var fileDescriptor: Int32 { fatalError() }
  open func write(_ data: Data) { fatalError() }
  open func readDataToEndOfFile() -> Data { fatalError() }
}
@available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *)
extension FileHandle {
  public func write<T: DataProtocol>(contentsOf data: T) throws { fatalError() }
  public func close() throws { fatalError() }
}

open class Pipe: NSObject, @unchecked Sendable {
  public override init() { fatalError() }
  open var fileHandleForReading: FileHandle { fatalError() }
  open var fileHandleForWriting: FileHandle { fatalError() }
}
