#if os(Linux)
  @preconcurrency import Dispatch
  import Foundation
  import _EscapementCore

  /// A server on the loopback interface that is made of dispatch sources.
  ///
  /// It answers `/after/7` after seven seconds, `/redirect/7` with a redirection to that, and `/never` never.
  final class HTTPServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let queue = DispatchQueue(label: "server")
    private let acceptor: any DispatchSourceRead
    private let connections = Lock<[Connection]>([])

    init() {
      (listener, port) = listeningSocket()
      acceptor = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
      acceptor.setEventHandler { [unowned self] in
        let connection = Connection(accept(listener, nil, nil), queue)
        connections.withLock { $0.append(connection) }
      }
      acceptor.activate()
    }

    func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

    /// Closes all connections, and returns when that is done.
    func stop() async {
      await acceptor.end()
      for connection in connections.withLock({ $0 }) { await connection.stop() }
      close(listener)
    }
  }

  private final class Connection: Sendable {
    private let socket: Int32
    private let queue: DispatchQueue
    private let reader: any DispatchSourceRead
    private let isOpen = Lock(true)

    init(_ socket: Int32, _ queue: DispatchQueue) {
      self.socket = socket
      self.queue = queue
      reader = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
      let received = Lock("")
      reader.setEventHandler { [unowned self] in
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(socket, &bytes, bytes.count)
        guard count > 0 else { return reader.cancel() }
        let requests = received.withLock { received in
          received += String(decoding: bytes.prefix(count), as: UTF8.self)
          var parts = received.components(separatedBy: "\r\n\r\n")
          received = parts.removeLast()
          return parts
        }
        for request in requests { answer(request.split(separator: " ")[1]) }
      }
      reader.setCancelHandler { [unowned self] in
        isOpen.withLock { $0 = false }
        close(socket)
      }
      reader.activate()
    }

    private func answer(_ path: Substring) {
      let parts = path.split(separator: "/")
      guard parts.count == 2, let seconds = Double(parts[1]) else { return }
      if parts[0] == "redirect" {
        return send("302 Found\r\nLocation: /after/\(parts[1])", "")
      }
      queue.asyncAfter(deadline: .now() + seconds) { self.send("200 OK", "after \(parts[1])") }
    }

    private func send(_ status: String, _ body: String) {
      let text = "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      isOpen.withLock {
        if $0 { _ = Glibc.send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }
      }
    }

    func stop() async { if isOpen.withLock({ $0 }) { await reader.end() } }
  }
#endif
