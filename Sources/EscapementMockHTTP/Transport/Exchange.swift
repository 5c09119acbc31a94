import EscapementClocks
import EscapementVirtualTime
import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// An `Exchange` is one request. Its task waits for the start, asks the table, waits as long as the
// answer says, and sends the parts of the answer. Time stands while Foundation is working. One hold
// is open from the creation of the request until its body has been read, and another one from the
// sending of each part until the part has arrived. The delegate queue closes the last hold, after
// the completion handler. The exchange is also an external source: when the scope asks, it reads
// the priority of Foundation's task, and this read waits for all work on the task's queue.
//
// On Apple platforms, any thread may call the client, so most of this is empty there. That code has
// been written, but never run.

/// A request that goes through Foundation to a stub, and the answer that goes back.
///
/// Foundation creates it in the task that resumes the request. The exchange starts its own task
/// there, so that this task has the caller's task-local values and belongs to the caller's
/// virtual-time scope. The task waits until Foundation starts to load, runs the handler of the
/// stub, and sends the answer.
///
/// Virtual time stands while the request or a part of the answer is inside Foundation: until
/// Foundation starts to load, and from the sending of each part until the client has it.
final class Exchange: Sendable {
  let request: URLRequest
  let session: StubbedSession
  let time: VirtualTime?
  let clock: AnyClock<Duration>
  let state = Lock(ExchangeStateMachine())

  init(_ request: URLRequest, _ session: StubbedSession) {
    self.request = request
    self.session = session
    time = .current
    clock = time.map { AnyClock($0) } ?? AnyClock(ContinuousClock())
    let hold = time?.startHold()
    let task = Task(name: "Stubbed request") { await run(hold) }
    state.withLock { $0.task = task }
  }

  var stubs: HTTPStubTable { session.stubs }

  // MARK: What Foundation calls, on its queue

  func start(_ client: LoadingClient) {
    let (isFirst, waiter) = state.withLock { $0.start(client) }
    if isFirst, let time, let task = client.task {
      let source = ExternalSource { LoadingQueue.wait(for: task) }
      state.withLock { $0.externalSource = source }
      time.consult(source)
    }
    waiter?.resume()
  }

  func stop(_ client: LoadingClient) {
    let (stop, waiter, task, arrival) = state.withLock { state in
      let (stop, waiter) = state.stop(isSuspended: client.isSuspended)
      return (stop, waiter, state.task, state.arrival)
    }
    switch stop {
    case .nothing: return
    case .tooLate: client.forget()
    case .cancelled:
      task?.cancel()
      waiter?.resume()
      if let arrival { stubs.cancelled(arrival) }
      // Foundation tells the client after this function has returned.
      let hold = time?.startHold()
      LoadingQueue.run { [self] in handBack(hold) }
    }
  }

  // MARK: The task

  /// - Parameter hold: Ends when the request reaches the stubs.
  private func run(_ hold: TimeHold?) async {
    await wait(forEnd: false)
    guard let client = state.withLock({ $0.client }) else {
      hold?.end()
      return
    }
    do {
      let request = try await read(client, hold)
      let timeout = watch()
      defer { timeout.cancel() }
      try await answer(request, client)
    } catch let error as HTTPStubError where state.withLock({ $0.arrival }) == nil {
      // The request has not reached the stubs, which would have reported the failure.
      stubs.report(error.description)
      fail(error)
    } catch {
      fail(error)
    }
  }

  private func read(
    _ client: LoadingClient, _ hold: TimeHold?
  ) async throws -> HTTPStub.Request {
    // Foundation asks a delegate for the body, so time stands until the body has been read.
    defer { hold?.end() }
    if let refusal = client.refusal {
      throw HTTPStubError("\(refusal)\n\nThe request was \(HTTPStub.Request(request)).")
    }
    return try await HTTPStub.Request(request, client, session)
  }

  private func answer(_ first: HTTPStub.Request, _ client: LoadingClient) async throws {
    var request = first
    for _ in 0...20 {
      let arrival = stubs.receive(request)
      state.withLock { $0.arrival = arrival }
      let response = try await stubs.response(to: arrival)
      if response.delay > .zero { try await clock.sleep(for: response.delay) }
      switch response.kind {
      case .fault(let fault):
        throw stubs.refuse(
          arrival, "has the fault '\(fault)' as its answer. \(LoadingClient.server)")
      case .passthrough:
        return passThrough(client)
      case .answer:
        if let refusal = LoadingClient.refusal(of: response) {
          throw stubs.refuse(arrival, refusal)
        }
        keepCookies(of: response, to: request)
        guard let next = await redirection(of: request, to: response, client) else {
          return try await send(response, to: request)
        }
        request = next
      }
    }
    throw URLError(.httpTooManyRedirects)
  }

  /// Must be called before the client has the answer, because it may ask for the cookies then.
  private func keepCookies(of response: HTTPStub.Response, to request: HTTPStub.Request) {
    guard response.status != nil, self.request.httpShouldHandleCookies else { return }
    session.cookies.store(response.headers, from: request.url)
  }

  private func send(_ response: HTTPStub.Response, to request: HTTPStub.Request) async throws {
    var parts: [LoadingClient.Part] = []
    if let status = response.status {
      parts.append(.head(request.url, status, response.headers))
    }
    for chunk in response.chunks where request.method != .head {
      if chunk.delay > .zero {
        await deliver(parts)
        parts = []
        try await clock.sleep(for: chunk.delay)
      }
      parts.append(.data(chunk.data))
    }
    switch response.ending {
    case .finished:
      // Foundation keeps only the last chunk, so it gets the whole body at the end.
      end(parts) {
        $0.finish(
          body: response.chunks.count > 1 && request.method != .head ? response.body : nil, $1)
      }
    case .failed(let error):
      end(parts) { $0.fail(error, $1) }
    case .never:
      await deliver(parts)
      await withTaskCancellationHandler {
        await wait(forEnd: true)
      } onCancel: {
        fail(CancellationError())
      }
    }
  }

  private func wait(forEnd: Bool) async {
    await withUnsafeContinuation { continuation in
      let waits = state.withLock { $0.wait(forEnd: forEnd, continuation) }
      if !waits { continuation.resume() }
    }
  }
}
