import Foundation

/// A connection over which one request follows another, with what etcd needs of HTTP.
final class HTTPConnection {
  private let descriptor: Int32
  private var received = Data()

  /// Connects to a server on this machine.
  init(port: Int32) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // In seconds; as long as the other clients wait.
    var timeout = timeval(tv_sec: 5, tv_usec: 0)
    var immediately: Int32 = 1
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &immediately, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw ServerError("connect: " + String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  /// Sends a request, and returns the body of the reply.
  func post(_ path: String, _ body: Data) throws -> Data {
    let head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n\r\n"
    let request = Array(Data(head.utf8) + body)
    // The signal of a connection that was cut would end the process.
    guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    else { throw ServerError("send: " + String(cString: strerror(errno))) }
    let status = try receiveLine()
    var length: Int?
    while case let line = try receiveLine().lowercased(), !line.isEmpty {
      if line.hasPrefix("content-length: ") { length = Int(line.dropFirst(16)) }
    }
    let reply = try length.map(receive) ?? receiveChunks()
    guard status.contains(" 200 ") else {
      throw ServerError(String(decoding: reply, as: UTF8.self))
    }
    return reply
  }

  /// A reply that is longer than the buffer of the server comes in chunks.
  private func receiveChunks() throws -> Data {
    var all = Data()
    while true {
      guard let count = Int(try receiveLine(), radix: 16) else { throw ServerError("no chunk") }
      all += try receive(count)
      _ = try receiveLine()
      if count == 0 { return all }
    }
  }

  private func receiveLine() throws -> String {
    while true {
      if let end = received.firstRange(of: Data("\r\n".utf8)) {
        defer { received = Data(received[end.upperBound...]) }
        return String(decoding: received[..<end.lowerBound], as: UTF8.self)
      }
      try receiveMore()
    }
  }

  private func receive(_ count: Int) throws -> Data {
    while received.count < count { try receiveMore() }
    defer { received = Data(received.dropFirst(count)) }
    return Data(received.prefix(count))
  }

  private func receiveMore() throws {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else {
      throw ServerError(count == 0 ? "closed" : "recv: " + String(cString: strerror(errno)))
    }
    received += buffer[..<count]
  }
}
