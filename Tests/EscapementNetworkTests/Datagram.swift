#if os(Linux)
  import Foundation

  /// A datagram as a UDP socket has received it.
  struct Datagram: Equatable, Sendable {
    let text, sender: String

    init(_ text: String, from sender: String) { (self.text, self.sender) = (text, sender) }
  }

  extension Socket {
    /// A UDP socket, at a port if one is given.
    static func udp(
      _ family: Int32 = AF_INET, port: Int? = nil, isBlocking: Bool = true
    ) throws -> Socket {
      let socket = try make(family, kind: SOCK_DGRAM, isBlocking: isBlocking)
      if let port {
        let error = try withAddress(of: nil, port, family) { bind(socket.file, $0, $1) }
        guard error == 0 else {
          let error = Errno()
          socket.close()
          throw error
        }
      }
      return socket
    }

    /// Calls a function with an address.
    static func withAddress<Result>(
      of host: String?, _ port: Int, _ family: Int32 = AF_UNSPEC,
      _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) throws -> Result {
      var addresses: UnsafeMutablePointer<addrinfo>?
      var hints = addrinfo()
      (hints.ai_flags, hints.ai_family) = (host == nil ? AI_PASSIVE : 0, family)
      hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
      guard getaddrinfo(host, "\(port)", &hints, &addresses) == 0, let address = addresses?.pointee
      else { throw Errno(EHOSTUNREACH) }
      defer { freeaddrinfo(addresses) }
      return body(address.ai_addr, address.ai_addrlen)
    }

    /// Sends a datagram to a port of a host.
    @discardableResult func send(
      _ text: String, to host: String, _ port: Int, _ family: Int32 = AF_UNSPEC
    ) throws -> Int {
      let bytes = Array(text.utf8)
      let sent = try Self.withAddress(of: host, port, family) {
        sendto(file, bytes, bytes.count, 0, $0, $1)
      }
      guard sent >= 0 else { throw Errno() }
      return sent
    }

    /// The next datagram, for which a blocking socket waits.
    func receiveDatagram(flags: Int32 = 0) throws -> Datagram {
      var storage = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      return try withUnsafeMutablePointer(to: &storage) { storage in
        try storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          let count = recvfrom(file, &bytes, bytes.count, flags, address, &size)
          guard count >= 0 else { throw Errno() }
          let text = String(decoding: bytes[..<count], as: UTF8.self)
          return Datagram(text, from: Self.text(of: address, size))
        }
      }
    }

    /// All datagrams that have arrived.
    func receiveAll() -> [String] {
      var texts: [String] = []
      while let datagram = try? receiveDatagram(flags: Int32(MSG_DONTWAIT)) {
        texts.append(datagram.text)
      }
      return texts
    }
  }
#endif
