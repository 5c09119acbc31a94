#if MockServer
  import EscapementMockHTTP
  import EscapementClocks
  import EscapementVirtualTime
  import Foundation
  import _EscapementCore

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// A request that a connection has received, and the answer to it.
  ///
  /// The connection creates it. The handler runs in the scope in which the server was started:
  /// there it has the test's task-local values, and waits in virtual time. If the connection is
  /// outside of the scope, time stands from the moment the request is complete until a stub has it,
  /// and while a part of the answer is being sent.
  final class ServedRequest: Sendable {
    /// The fate of the connection after the answer.
    enum End {
      case keptOpen, closed, reset
    }

    /// A part of the answer, and what happens to the connection after it.
    struct Part: Sendable {
      let data: Data
      let end: End?
      let hold: TimeHold?
    }

    /// The parts of the answer.
    ///
    /// The stream ends after the last part, or when the request is cancelled.
    let parts: AsyncStream<Part>

    private let request: HTTPStub.Request
    private let allowsChunks: Bool
    private let stubs: HTTPStubTable
    private let time: VirtualTime?
    private let clock: AnyClock<Duration>
    private let output: AsyncStream<Part>.Continuation
    /// Time stands until a task of the scope has the request, or the request is cancelled.
    private let hold: TimeHold?
    private let state = Lock(ServedRequestStateMachine<HTTPStubTable.Arrival>())

    init(
      _ request: HTTPStub.Request, _ stubs: HTTPStubTable, _ time: VirtualTime?,
      allowsChunks: Bool = true
    ) {
      self.request = request
      self.allowsChunks = allowsChunks
      self.stubs = stubs
      self.time = time
      clock = time.map { AnyClock($0) } ?? AnyClock(ContinuousClock())
      (parts, output) = AsyncStream.makeStream()
      hold = time?.startHold()
    }

    // MARK: Called by the connection

    /// The last part is about to be sent.
    func end() { state.withLock { $0.end() } }

    /// Cancels the handler, unless the answer is complete.
    func cancel(byClient: Bool) {
      let (task, arrival) = state.withLock { $0.cancel(byClient: byClient) }
      hold?.end()
      task?.cancel()
      if let arrival { stubs.cancelled(arrival) }
    }

    /// Returns when the handler has ended.
    func waitForHandler() async { await state.withLock(\.task)?.value }

    // MARK: In the scope of the server

    func start() {
      let task = Task(name: "Request to a mock server") { await run() }
      let isWanted = state.withLock { $0.begin(task) }
      hold?.end()
      if !isWanted { task.cancel() }
    }

    private func run() async {
      defer { output.finish() }
      let arrival = stubs.receive(request)
      if state.withLock({ $0.arrive(arrival) }) { return stubs.cancelled(arrival) }
      do {
        try await answer(arrival)
      } catch is CancellationError where Task.isCancelled {
        return
      } catch {
        fail(error)
      }
    }

    private func answer(_ arrival: HTTPStubTable.Arrival) async throws {
      var response: HTTPStub.Response
      do {
        response = try await stubs.response(to: arrival)
      } catch let error as URLError {
        response = .failing(error)
      }
      if response.delay > .zero { try await clock.sleep(for: response.delay) }
      let end: End
      switch (response.kind, response.ending) {
      case (.fault(.reset), _): return send(Data(), .reset)
      case (.fault(.closed), _): return send(Data(), .closed)
      case (.fault(.truncated), _): end = .closed
      case (.passthrough, _):
        throw stubs.refuse(
          arrival, "has the answer '.passthrough', but a mock server does not forward requests.")
      case (.answer, .finished): end = .keptOpen
      case (.answer, .failed(let error)) where error.isLostConnection:
        if response.status == nil { return send(Data(), .closed) }
        response = response.truncated(after: response.body.count)
        end = .closed
      case (.answer, .failed(let error)) where error.isTimeout:
        return await waitForCancellation()
      case (.answer, .failed(let error)):
        throw stubs.refuse(
          arrival,
          """
          has an error that a server cannot cause: \(error)

          To break the connection, use '.connectionReset', '.connectionClosed' or 'truncated(after:)'. To \
          answer with any error, use a 'MockHTTP'.
          """)
      case (.answer, .never): return await waitForCancellation()
      }
      let message = ResponseMessage(response, to: request.method, allowsChunks: allowsChunks)
      try await send(message, message.closesConnection ? .closed : end)
    }

    // MARK: Sending

    private func send(_ message: ResponseMessage, _ end: End) async throws {
      // Parts without a delay between them are sent together.
      var data = message.head
      for chunk in message.chunks {
        if chunk.delay > .zero {
          send(data, nil)
          data = Data()
          try await clock.sleep(for: chunk.delay)
        }
        data += chunk.data
      }
      send(data + message.end, end)
    }

    private func send(_ data: Data, _ end: End?) {
      output.yield(Part(data: data, end: end, hold: time?.startHold()))
    }

    /// Answers a request that no stub has answered.
    ///
    /// The test has failed already.
    private func fail(_ error: any Error) {
      let status = error is HTTPStubError ? 501 : 500
      let message = ResponseMessage(.text("\(error)\n", status: status), to: request.method)
      send(message.head + message.chunks.reduce(Data()) { $0 + $1.data }, .keptOpen)
    }

    private func waitForCancellation() async {
      let (nothing, end) = AsyncStream.makeStream(of: Never.self)
      for await _ in nothing {}
      end.finish()
    }
  }

  extension Error {
    fileprivate var isLostConnection: Bool { (self as? URLError)?.code == .networkConnectionLost }
    fileprivate var isTimeout: Bool { (self as? URLError)?.code == .timedOut }
  }
#endif
