#if os(Linux)
  import EscapementNetwork
  import Foundation

  /// An error of the C library.
  struct Errno: Error, Equatable, CustomStringConvertible {
    let code: Int32
    init(_ code: Int32 = errno) { self.code = code }
    var description: String { String(cString: strerror(code)) }
  }

  /// A TCP socket, as code that uses the C library has it.
  struct Socket: Sendable {
    let file: Int32

    static func make(
      _ family: Int32 = AF_INET, kind: __socket_type = SOCK_STREAM, isBlocking: Bool = true
    ) throws -> Socket {
      let type = Int32(kind.rawValue) | (isBlocking ? 0 : Int32(SOCK_NONBLOCK.rawValue))
      let file = socket(family, type, 0)
      guard file >= 0 else { throw Errno() }
      return Socket(file: file)
    }

    /// Resolves a name or an address, and connects.
    static func connect(to host: String, _ port: Int) throws -> Socket {
      let socket = try make()
      do {
        try socket.connect(to: host, port)
      } catch {
        socket.close()
        throw error
      }
      return socket
    }

    func connect(to host: String, _ port: Int) throws {
      var addresses: UnsafeMutablePointer<addrinfo>?
      var hints = addrinfo()
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      guard getaddrinfo(host, "\(port)", &hints, &addresses) == 0, let address = addresses?.pointee
      else { throw Errno(EHOSTUNREACH) }
      defer { freeaddrinfo(addresses) }
      guard Glibc.connect(file, address.ai_addr, address.ai_addrlen) == 0 else { throw Errno() }
    }

    static func listen(
      port: Int, _ family: Int32 = AF_INET, at host: String? = nil, backlog: Int32 = 128
    ) throws -> Socket {
      let socket = try make(family)
      var addresses: UnsafeMutablePointer<addrinfo>?
      var hints = addrinfo()
      (hints.ai_flags, hints.ai_family) = (AI_PASSIVE, family)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      guard getaddrinfo(host, "\(port)", &hints, &addresses) == 0, let address = addresses?.pointee
      else { throw Errno(EHOSTUNREACH) }
      defer { freeaddrinfo(addresses) }
      guard bind(socket.file, address.ai_addr, address.ai_addrlen) == 0,
        Glibc.listen(socket.file, backlog) == 0
      else {
        let error = Errno()
        socket.close()
        throw error
      }
      return socket
    }

    /// Binds a Unix socket to a name that is no file; returns whether the name was free.
    func bindAbstractly(to name: String) -> Bool {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { path in
        for (index, byte) in name.utf8.enumerated() { path[index + 1] = byte }
      }
      let size = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + 1 + name.utf8.count
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(file, $0, socklen_t(size)) == 0
        }
      }
    }

    func accept() -> Socket? {
      let accepted = Glibc.accept(file, nil, nil)
      return accepted < 0 ? nil : Socket(file: accepted)
    }

    /// Waits in the scope's time until there is something to read.
    @discardableResult func awaitInput(milliseconds: Int32 = -1) -> Bool {
      wait(for: POLLIN, milliseconds)
    }

    /// Waits in the scope's time until it can write.
    func awaitOutput(milliseconds: Int32 = -1) -> Bool { wait(for: POLLOUT, milliseconds) }

    private func wait(for event: Int32, _ milliseconds: Int32) -> Bool {
      var awaited = pollfd(fd: file, events: Int16(event), revents: 0)
      return poll(&awaited, 1, milliseconds) > 0
    }

    @discardableResult func send(_ text: String) -> Int { send(Array(text.utf8)) }

    @discardableResult func send(_ bytes: [UInt8]) -> Int {
      bytes.withUnsafeBytes {
        Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
    }

    /// The next text; empty at the end.
    func receive() throws -> String {
      awaitInput()
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(file, &bytes, bytes.count, 0)
      guard count >= 0 else { throw Errno() }
      return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Reads until the end; returns how many bytes there were.
    func drain() throws -> Int {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      var total = 0
      while true {
        awaitInput()
        let count = recv(file, &bytes, bytes.count, 0)
        guard count >= 0 else { throw Errno() }
        if count == 0 { return total }
        total += count
      }
    }

    func endSending() { shutdown(file, Int32(SHUT_WR)) }
    func close() { Glibc.close(file) }

    var pendingError: Int32 {
      var (error, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      getsockopt(file, SOL_SOCKET, SO_ERROR, &error, &size)
      return error
    }

    /// The address and the port of this side, and of the other one.
    var address: String? { text(getsockname) }
    var peer: String? { text(getpeername) }

    private func text(
      _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> String? {
      var storage = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      return withUnsafeMutablePointer(to: &storage) { storage in
        storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          guard ask(file, address, &size) == 0 else { return nil }
          return Self.text(of: address, size)
        }
      }
    }

    /// An address and its port.
    static func text(of address: UnsafeMutablePointer<sockaddr>, _ size: socklen_t) -> String {
      if Int32(address.pointee.sa_family) == AF_UNIX { return "AF_UNIX" }
      var (host, port) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 8))
      getnameinfo(address, size, &host, 64, &port, 8, NI_NUMERICHOST | NI_NUMERICSERV)
      let (name, number) = (string(of: host), string(of: port))
      return (name.contains(":") ? "[\(name)]" : name) + ":\(number)"
    }
  }

  private func string(of characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  }

  /// A server and a client, with links of 40 ms.
  func makeTwoHosts() throws -> (SimulatedNetwork, server: SimulatedHost, client: SimulatedHost) {
    let network = try SimulatedNetwork()
    network.links.latency = .milliseconds(40)
    return (network, network.host("server"), network.host("client"))
  }

  /// Sends back what clients send, each on a thread of its own.
  func echo(port: Int) throws {
    let server = try Socket.listen(port: port)
    Thread.detachNewThread {
      defer { server.close() }
      while let client = server.accept() {
        Thread.detachNewThread {
          while let text = try? client.receive(), !text.isEmpty { client.send(text) }
          client.close()
        }
      }
    }
  }

  /// Lets the scope's time pass.
  func rest(milliseconds: Int32) { poll(nil, 0, milliseconds) }

  /// How much time has passed at each mark, and at the end.
  func elapsed(_ body: (_ mark: () -> Void) throws -> Void) throws -> [Duration] {
    let start = ContinuousClock.now
    var marks: [Duration] = []
    try body { marks.append(ContinuousClock.now - start) }
    return marks + [ContinuousClock.now - start]
  }
#endif
