import EscapementNetwork
import Foundation

/// A server with a thread for each connection, and clients with threads that block.
///
/// The link of each is cut in the middle of its second request, and each ends with half a connection.
@Sendable func useSockets(_ log: Journal) async throws {
  let network = try makeNetwork()
  let server = network.host("server")
  server.run {
    let listener = try BlockingSocket(listeningAt: 7)
    Thread.detachNewThread {
      while let client = listener.accept() {
        Thread.detachNewThread {
          while let request = client.receive() {
            usleep(10_000)
            client.send(request)
          }
          client.send("bye")
          client.close()
        }
      }
    }
  }
  try await withThrowingTaskGroup { clients in
    for i in 0..<3 {
      clients.addTask {
        let client = network.host("client-\(i)")
        // Connects, asks for the first time, and then for the second time.
        Task {
          try await Task.sleep(for: .milliseconds(33))
          network.cut(client, server)
          try await Task.sleep(for: .seconds(1))
          network.heal(client, server)
        }
        try await client.perform {
          await withCheckedContinuation { done in
            Thread.detachNewThread {
              ask("server", i, log)
              done.resume()
            }
          }
        }
      }
    }
    try await clients.waitForAll()
  }
}

private func ask(_ host: String, _ number: Int, _ log: Journal) {
  guard let socket = try? BlockingSocket(connectingTo: host, 7) else {
    return log.mark("no connection")
  }
  for request in 0..<2 {
    socket.send("\(number).\(request)")
    log.mark(socket.receive() ?? "end")
  }
  socket.endSending()
  log.mark(socket.receive() ?? "end")
  log.mark(socket.receive() ?? "end")
  socket.close()
}

/// A socket whose calls block their threads.
private struct BlockingSocket: Sendable {
  struct SystemError: Error { let code = errno }

  private let file: Int32

  private init(file: Int32) { self.file = file }

  init(listeningAt port: UInt16) throws {
    file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try Self.call(bind, file, nil, port)
    guard listen(file, 16) == 0 else { throw SystemError() }
  }

  init(connectingTo host: String, _ port: UInt16) throws {
    file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try Self.call(connect, file, host, port)
  }

  /// Calls a function with an address of IPv4: that of a host, or any.
  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ file: Int32,
    _ host: String?, _ port: UInt16
  ) throws {
    var found: UnsafeMutablePointer<addrinfo>?
    var hints = addrinfo()
    (hints.ai_family, hints.ai_flags) = (AF_INET, AI_PASSIVE)
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let found else { throw SystemError() }
    defer { freeaddrinfo(found) }
    guard function(file, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else {
      throw SystemError()
    }
  }

  func accept() -> BlockingSocket? {
    let client = Foundation.accept(file, nil, nil)
    return client < 0 ? nil : BlockingSocket(file: client)
  }

  func send(_ text: String) {
    _ = Foundation.send(file, text, text.utf8.count, Int32(MSG_NOSIGNAL))
  }

  /// The next text; `nil` at the end.
  ///
  /// A thread waits in virtual time in `poll`, and not in `recv`.
  func receive() -> String? {
    var input = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, -1) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = recv(file, &bytes, bytes.count, 0)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  func endSending() { _ = shutdown(file, Int32(SHUT_WR)) }

  func close() { _ = Foundation.close(file) }
}
