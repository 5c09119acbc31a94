#if os(Linux)
  import Foundation

  /// A file from which bytes come, and the one to which they were sent.
  struct Ends: Sendable {
    let from: Int32
    let to: Int32

    static func ofPipe() -> Ends {
      var ends: [Int32] = [-1, -1]
      precondition(pipe(&ends) == 0)
      // Other tests begin processes, which must not keep the ends open.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return Ends(from: ends[0], to: ends[1])
    }

    func send(_ count: Int) {
      let bytes = [UInt8](repeating: 1, count: count)
      precondition(write(to, bytes, count) == count)
    }

    @discardableResult func receive(_ count: Int) -> Int {
      var bytes = [UInt8](repeating: 0, count: count)
      return read(from, &bytes, count)
    }

    /// Sends until there is no room; returns how many bytes that were.
    func fill() -> Int {
      _ = fcntl(to, F_SETFL, O_NONBLOCK)
      let bytes = [UInt8](repeating: 1, count: 4096)
      var count = 0
      while case let sent = write(to, bytes, bytes.count), sent > 0 { count += sent }
      return count
    }

    func close() {
      Glibc.close(from)
      Glibc.close(to)
    }
  }

  private func withAddress<Result>(
    _ port: UInt16,
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
  ) -> (Result, UInt16) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = port.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
    }
    return (result, UInt16(bigEndian: address.sin_port))
  }

  private func makeSocket() -> Int32 {
    socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }

  /// A socket of the loopback interface that listens, and its port.
  func listeningSocket(
    _ listen: (Int32) -> Int32 = { Glibc.listen($0, 16) }
  ) -> (socket: Int32, port: UInt16) {
    let listener = makeSocket()
    let (_, port) = withAddress(0) {
      precondition(bind(listener, $0, $1.pointee) == 0 && listen(listener) == 0)
      getsockname(listener, $0, $1)
    }
    return (listener, port)
  }

  /// A socket of the loopback interface that listens at a port, or nil if another one has it.
  func listeningSocket(at port: UInt16) -> Int32? {
    let listener = makeSocket()
    let (isFree, _) = withAddress(port) {
      bind(listener, $0, $1.pointee) == 0 && listen(listener, 16) == 0
    }
    if !isFree { close(listener) }
    return isFree ? listener : nil
  }

  /// A socket that is connected to one of the loopback interface, or -1.
  func connectedSocket(to port: UInt16) -> Int32 {
    let client = makeSocket()
    let (result, _) = withAddress(port) { connect(client, $0, $1.pointee) }
    if result != 0 { close(client) }
    return result == 0 ? client : -1
  }
#endif
