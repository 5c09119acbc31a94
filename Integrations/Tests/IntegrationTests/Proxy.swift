import Foundation

/// Passes on what clients and a server on this machine send, and can cut their connections.
///
/// Unchecked because its state is only used under the lock.
final class Proxy: @unchecked Sendable {
  let port: Int32
  private let server: Int32
  private let lock = NSLock()
  private var connections: Set<Int32> = []

  init(to server: Int32) {
    self.server = server
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        precondition(bind(listener, $0, length) == 0 && listen(listener, 64) == 0)
        precondition(getsockname(listener, $0, &length) == 0)
      }
    }
    port = Int32(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread {
      while case let client = accept(listener, nil, nil), client >= 0 { self.serve(client) }
    }
  }

  func cutConnections() {
    lock.withLock { for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) } }
  }

  private func serve(_ client: Int32) {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(port: server)
    let isConnected = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      close(client)
      close(connection)
      return
    }
    var immediately: Int32 = 1
    for socket in [client, connection] {
      setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &immediately, 4)
    }
    lock.withLock { connections.formUnion([client, connection]) }
    let ends = DispatchGroup()
    for (source, target) in [(client, connection), (connection, client)] {
      ends.enter()
      Thread.detachNewThread {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while case let count = recv(source, &buffer, buffer.count, 0), count > 0 {
          guard send(target, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        // The other direction ends too.
        for socket in [source, target] { shutdown(socket, Int32(SHUT_RDWR)) }
        ends.leave()
      }
    }
    // Closed when no thread uses them, since another file may get the number.
    ends.notify(queue: .global()) {
      self.lock.withLock { self.connections.subtract([client, connection]) }
      close(client)
      close(connection)
    }
  }

  private static func address(port: Int32) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }
}
