// What the overlay of Apple's C library adds for Swift, from stdlib/public/Platform of
// github.com/swiftlang/swift. The declarations of C come from the headers, with their availability.
// No declaration here is newer than the platforms of the package.
@_exported import Darwin

public var errno: Int32 {
  get { fatalError() }
  set { fatalError() }
}

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
  fatalError()
}
public func fcntl(_ file: Int32, _ command: Int32) -> Int32 { fatalError() }
public func fcntl(_ file: Int32, _ command: Int32, _ value: Int32) -> Int32 { fatalError() }
public func fcntl(_ file: Int32, _ command: Int32, _ value: UnsafeMutableRawPointer) -> Int32 {
  fatalError()
}

nonisolated(unsafe) public let MAP_FAILED: UnsafeMutableRawPointer! = nil
public var S_IFMT: mode_t { fatalError() }
public var S_IFDIR: mode_t { fatalError() }
public var S_IFREG: mode_t { fatalError() }
public var S_IRWXU: mode_t { fatalError() }
public var S_IRUSR: mode_t { fatalError() }
public var S_IWUSR: mode_t { fatalError() }

public func pow(_ x: Double, _ y: Double) -> Double { fatalError() }
public func ceil<T: FloatingPoint>(_ x: T) -> T { fatalError() }
public func floor<T: FloatingPoint>(_ x: T) -> T { fatalError() }

public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { fatalError() }
