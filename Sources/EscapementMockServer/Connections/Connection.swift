#if MockServer
  import EscapementMockHTTP
  import FlyingSocks
  import Foundation
  import _EscapementCore

  /// A client's connection: receives requests, and sends their answers in the same order.
  ///
  /// It goes on receiving while a request is answered, and so notices when the client disconnects.
  /// A client that only ends its own side of the connection (RFC 9112, 9.6) gets the answers it has
  /// asked for.
  final class Connection: Sendable {
    /// The received messages.
    private enum Item {
      case request(ReceivedRequest)
      case expectsContinue
      case malformed(RequestParser.Malformed)
    }

    /// The request that is being answered, which is cancelled if the client disconnects.
    private struct Present {
      var served: ServedRequest?
      /// The number of items that were received and have not been answered.
      var unanswered = 0
      var clientHasDisconnected = false
    }

    private struct Closed: Error {}

    private let socket: AsyncSocket
    private let origin: RequestOrigin
    private let present = Lock(Present())

    init(_ socket: AsyncSocket, _ origin: RequestOrigin) {
      self.socket = socket
      self.origin = origin
    }

    func serve() async {
      let (items, input) = AsyncStream.makeStream(of: Item.self)
      // Both tasks end with an error. The error of the first one cancels the other one.
      try? await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await self.receive(input) }
        group.addTask { try await self.answer(items) }
        for try await _ in group {}
      }
      // Closed only after both tasks have ended: the number of a closed socket can be reused, and
      // the pool identifies sockets by their number.
      try? socket.close()
    }

    // MARK: Receiving

    private func receive(_ input: AsyncStream<Item>.Continuation) async throws {
      do {
        try await parse(input)
      } catch let error as SocketError {
        if present.withLock({ $0.unanswered > 0 }),
          await origin.clients.waitsForAnswers(socket.socket)
        {
          return input.finish()
        }
        try Task.checkCancellation()
        let served = present.withLock { present in
          present.clientHasDisconnected = true
          return present.served
        }
        served?.cancel(byClient: true)
        throw error
      }
    }

    private func parse(_ input: AsyncStream<Item>.Continuation) async throws -> Never {
      var parser = RequestParser()
      do {
        while true {
          parser.append(try await socket.readWhatComes())
          while let event = try parser.next() {
            switch event {
            case .request(let request): pass(.request(request), to: input)
            case .expectsContinue: pass(.expectsContinue, to: input)
            }
          }
        }
      } catch let error as RequestParser.Malformed {
        pass(.malformed(error), to: input)
        input.finish()
        // RFC 9112, 9.6: if the connection were closed while bytes arrive, the client would lose
        // the answer.
        while true { _ = try await socket.readWhatComes() }
      }
    }

    private func pass(_ item: Item, to input: AsyncStream<Item>.Continuation) {
      present.withLock { $0.unanswered += 1 }
      input.yield(item)
    }

    // MARK: Answering

    private func answer(_ items: AsyncStream<Item>) async throws {
      for await item in items {
        switch item {
        case .expectsContinue:
          try await socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        case .malformed(let error):
          return try await refuse(error)
        case .request(let received):
          guard let served = origin.handOver(received) else {
            return try await refuse(
              RequestParser.Malformed(reason: "'\(received.target)' is not a valid URL"))
          }
          let clientHasDisconnected = present.withLock { present in
            present.served = served
            return present.clientHasDisconnected
          }
          if clientHasDisconnected { served.cancel(byClient: true) }
          let end = try await send(served)
          present.withLock { $0.served = nil }
          if end == .reset { try socket.socket.resetWhenClosed() }
          if end != .keptOpen || !received.keepsConnection { throw Closed() }
        }
        present.withLock { $0.unanswered -= 1 }
      }
      throw Closed()
    }

    private func send(_ served: ServedRequest) async throws -> ServedRequest.End {
      do {
        return try await withTaskCancellationHandler {
          for await part in served.parts {
            if part.end != nil { served.end() }
            defer { part.hold?.end() }
            try await socket.write(part.data)
            if let end = part.end { return end }
          }
          throw CancellationError()
        } onCancel: {
          served.cancel(byClient: false)
        }
      } catch {
        served.cancel(byClient: error is SocketError)
        await served.waitForHandler()
        throw error
      }
    }

    /// Answers that a request is malformed, and sends nothing more.
    ///
    /// The connection is closed when the client has closed it, or the server is stopped.
    private func refuse(_ error: RequestParser.Malformed) async throws {
      origin.stubs.report(
        """
        A mock server has received a malformed request: \(error.reason).

        The server has answered with the status \(error.status) and closed the connection. The client may not \
        use HTTP/1.1, or may use HTTPS. Use a URL that begins with that of the server.
        """)
      let text = "The request is malformed: \(error.reason).\n"
      let message = ResponseMessage(
        .text(text, status: error.status).header("Connection", "close"), to: .get)
      try await socket.write(message.head + Data(text.utf8))
      socket.socket.endSending()
    }
  }
#endif
