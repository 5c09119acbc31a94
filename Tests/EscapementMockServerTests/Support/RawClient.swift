#if MockServer
  import FlyingSocks
  import Foundation

  /// A client that sends bytes, well-formed or not, and sees how its connection ends.
  final class RawClient: Sendable {
    /// How a connection ends.
    enum End {
      case closed, reset
    }

    private let socket: Socket
    private let queue = DispatchQueue(label: "client")

    convenience init(_ url: URL) throws {
      try self.init()
      try connect(to: url)
    }

    /// Makes a client that is not connected.
    init() throws { socket = try Socket(domain: AF_INET) }

    func connect(to url: URL) throws {
      try socket.connect(to: .inet(ip4: "127.0.0.1", port: UInt16(url.port!)))
    }

    func send(_ text: String) throws {
      let data = Data(text.utf8)
      var sent = data.startIndex
      while sent < data.endIndex { sent = try socket.write(data, from: sent) }
    }

    /// Sends what may not fit into the buffers of the connection, on a thread that may block.
    func sendAll(_ text: String) async throws {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { [self] in
          continuation.resume(with: Result { try send(text) })
        }
      }
    }

    /// Announces that nothing more will be sent; answers can still be received.
    func endSending() { _ = shutdown(socket.file.rawValue, Int32(SHUT_WR)) }

    /// Returns what comes until it contains a text, or the connection ends.
    func receive(until text: String) async -> String {
      var received = ""
      while !received.contains(text), case .success(let part) = await receive() { received += part }
      return received
    }

    /// Returns all that comes, and how the connection ends.
    func receiveAll() async -> (text: String, end: End) {
      var received = ""
      while true {
        switch await receive() {
        case .success(let part): received += part
        case .failure(ECONNRESET): return (received, .reset)
        case .failure: return (received, .closed)
        }
      }
    }

    func close() throws { try socket.close() }

    private enum Received {
      case success(String)
      case failure(Int32)
    }

    private func receive() async -> Received {
      await withCheckedContinuation { continuation in
        queue.async { [file = socket.file.rawValue] in
          var buffer = [UInt8](repeating: 0, count: 65_536)
          let count = recv(file, &buffer, buffer.count, 0)
          continuation.resume(
            returning: count > 0
              ? .success(String(decoding: buffer[..<count], as: UTF8.self))
              : .failure(count == 0 ? 0 : errno))
        }
      }
    }
  }
#endif
