import Foundation
import TestSupport
import Testing

@testable import EscapementDoubles
@testable import EscapementMockHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct ExchangeStateMachineTests {
  private enum Event: CaseIterable { case start, stop, suspend, end }

  private enum Model { case created, started, over }

  private let client = LoadingClient(
    MockURLProtocol(
      request: URLRequest(url: URL(string: "https://example.com")!), cachedResponse: nil,
      client: nil))

  /// Every sequence of up to six events, compared with a model.
  @Test func `a request ends once`() {
    let start = (state: ExchangeStateMachine(), model: Model.created)
    check(start.state, start.model)
    let exploration = Exploration(from: start, length: 6, events: { _ in Event.allCases }) {
      event, request, _ in
      step(event, &request.state, &request.model)
      check(request.state, request.model)
    }
    #expect(exploration.states == (4 * 4 * 4 * 4 * 4 * 4 * 4 - 1) / 3)
  }

  private func check(_ state: ExchangeStateMachine, _ model: Model) {
    #expect(state.isOver == (model == .over))
    #expect((state.client != nil) == (model == .started))
  }

  private func step(_ event: Event, _ state: inout ExchangeStateMachine, _ model: inout Model) {
    switch event {
    case .start:
      let isFirst = state.start(client).isFirst
      #expect(isFirst == (model == .created))
      if model == .created { model = .started }
    case .stop:
      let stop = state.stop(isSuspended: false).0
      #expect(stop == (model == .over ? .tooLate : .cancelled))
      model = .over
    case .suspend:
      let stop = state.stop(isSuspended: true).0
      #expect(stop == (model == .over ? .tooLate : .nothing))
    case .end:
      let client = state.end().0
      #expect((client != nil) == (model == .started))
      if model == .started { model = .over }
    }
  }

  @Test func `a task that waits for the start is resumed by the start or the end`() async {
    for event in [Event.start, .stop] {
      var state = ExchangeStateMachine()
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
        let waits = state.wait(forEnd: false, continuation)
        #expect(waits)
        switch event {
        case .start: state.start(client).waiter?.resume()
        default: state.stop(isSuspended: false).1?.resume()
        }
      }
    }
  }

  @Test func `a task that waits for the end is resumed only by the end`() async {
    var state = ExchangeStateMachine()
    _ = state.start(client)
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let waits = state.wait(forEnd: true, continuation)
      #expect(waits)
      let suspension = state.stop(isSuspended: true).1
      #expect(suspension == nil)
      state.end().1?.resume()
    }
    await withUnsafeContinuation { continuation in
      let waits = state.wait(forEnd: true, continuation)
      #expect(!waits)
      continuation.resume()
    }
  }
}
