import EscapementTesting
import Foundation
package import _EscapementCore

/// The stubs of a ``MockHTTP`` or of a mock server, and the journal of the requests.
///
/// Tests use it through the methods of ``HTTPStubbing``.
public final class HTTPStubTable: Sendable {
  /// The fate of a request that no stub answers.
  public enum Unmatched: Sendable {
    /// The request fails, and the test fails.
    case fail
    /// The request gets this answer.
    case answer(HTTPStub.Response)
  }

  /// A request that has arrived, and the handler that answers it.
  package struct Arrival: Sendable {
    package let request: HTTPStub.Request
    /// The stub that matches; `nil` if none does.
    let stub: Int?
    let handler: HTTPStub.Handler
  }

  private let state = Lock(StubTableStateMachine())
  private let unmatched: Unmatched
  private let owner: DoubleOwner
  private let location: SourceLocation

  /// - Parameters:
  ///   - unmatched: What happens to a request that no stub answers.
  ///   - verifiesAtEnd: Whether stubs that were not called fail the test at the end of its scope.
  ///   - location: The source location for failures that belong to no stub.
  package init(unmatched: Unmatched, verifiesAtEnd: Bool, at location: SourceLocation) {
    self.unmatched = unmatched
    self.location = location
    owner = .current
    if verifiesAtEnd { owner.atEnd { self.unkeptPromises() } }
  }

  // MARK: Stubs

  func add(_ entry: StubEntry, _ refusal: String? = nil) -> HTTPStub {
    let (id, later) = state.withLock { $0.add(entry) }
    if let refusal = refusal ?? later { owner.report(refusal, at: entry.location) }
    return HTTPStub(table: self, id: id)
  }

  func change(_ id: Int, _ body: (inout StubEntry) -> Void) {
    state.withLock { $0.change(id, body) }
  }

  func entry(_ id: Int) -> StubEntry { state.withLock { $0.entries[id] } }

  func calls(of id: Int) -> [HTTPStub.Request] { state.withLock { $0.calls[id] } }

  /// Refuses all later stubs, for this reason.
  package func close(_ reason: String) { state.withLock { $0.close(reason) } }

  package var journal: [HTTPStub.Request] { state.withLock { $0.journal } }

  /// Returns a failure for each stub that was called too seldom; each failure is returned only
  /// once.
  package func unkeptPromises() -> [DoubleFailure] {
    state.withLock { $0.unkeptPromises() }.map { DoubleFailure($0.message, at: $0.location) }
  }

  // MARK: Requests

  /// Adds a request to the journal, and finds the handler that answers it.
  package func receive(_ request: HTTPStub.Request) -> Arrival {
    state.withLock { $0.arrived(request) }
    let address = request.address
    while true {
      let candidates = state.withLock { $0.candidates(request.method, address) }
      let diagnosis = StubDiagnosis(request: request, address: address, candidates: candidates) {
        self.state.withLock { $0.entries }
      }
      switch diagnosis.result() {
      case .stub(let stub, let parameters):
        var request = request
        request.parameters = parameters
        // Another request may have taken the last answer in the meantime.
        if let called = state.withLock({ $0.call(stub.id, request) }) {
          stub.entry.calls.increment()
          return Arrival(request: request, stub: stub.id, handler: called)
        }
      case .none(let explanation):
        return Arrival(
          request: request, stub: nil, handler: handler(for: request, explaining: explanation))
      }
    }
  }

  private func handler(
    for request: HTTPStub.Request, explaining explanation: String
  ) -> HTTPStub.Handler {
    if let code = request.address.error {
      if case .fail = unmatched {
        owner.report(
          """
          A session cannot load \(request). It fails with \(URLError(code)), as a real session does.

          'MockHTTP' answers requests to 'http' and 'https' with a host. Correct the address, or add a \
          stub that names its scheme and host, such as 'app://host/path'.
          """, at: location)
      }
      return { _ in throw URLError(code) }
    }
    switch unmatched {
    case .fail:
      owner.report(explanation, at: location)
      return { _ in throw HTTPStubError(explanation) }
    case .answer(let response):
      return { _ in response }
    }
  }

  /// Runs the handler of a request that has arrived.
  ///
  /// - Returns: A valid response.
  /// - Throws: The error with which the request fails: a `URLError` that the handler has thrown, or
  ///   an error that has failed the test as well.
  package func response(to arrival: Arrival) async throws -> HTTPStub.Response {
    do {
      let response = try await arrival.handler(arrival.request)
      guard let problem = response.problem(for: arrival.request.method) else { return response }
      throw refuse(arrival, "has an invalid answer. \(problem)")
    } catch let error as HTTPStubError {
      throw error
    } catch let error as URLError {
      throw error
    } catch is CancellationError where Task.isCancelled {
      throw CancellationError()
    } catch {
      _ = refuse(
        arrival,
        """
        threw an error: \(error)

        A handler must return a response, or throw a URLError as a network does.
        """)
      throw error
    }
  }

  /// Fails the test because of an invalid answer.
  package func refuse(_ arrival: Arrival, _ reason: String) -> HTTPStubError {
    let subject =
      arrival.stub.map { "The stub \(entry($0).description)" }
      ?? "The answer to requests that no stub matches"
    let error = HTTPStubError("\(subject) \(reason)\n\nThe request was \(arrival.request).")
    report(error.description, arrival.stub)
    return error
  }

  /// Records that the client has cancelled the request.
  package func cancelled(_ arrival: Arrival) {
    guard let stub = arrival.stub else { return }
    entry(stub).cancellations.increment()
  }

  /// Fails the test, at the line of a stub if one is given.
  package func report(_ message: String, _ stub: Int? = nil) {
    owner.report(
      message, at: stub.map { entry($0).location } ?? location)
  }
}
