import CReach
import _EscapementCore

/// The services of a host, which begin again at each restart, and the calls that wait for its code.
///
/// It lives until the network ends, and so do the closures in it.
final class HostRecord: Sendable {
  private struct State {
    var services: [@Sendable () -> Void] = []
    var calls: [(call: AnyObject, fail: @Sendable () -> Void)] = []
  }

  private let state = Lock(State())

  /// The record of the host with a number; `nil` outside of its scope.
  static func of(_ host: UInt16) -> HostRecord? {
    guard let place = rch_record_of_host(host) else { return nil }
    if let known = place.pointee {
      return Unmanaged<HostRecord>.fromOpaque(known).takeUnretainedValue()
    }
    let new = HostRecord()
    place.pointee = Unmanaged.passRetained(new).toOpaque()
    return new
  }

  /// Functions that start the services, in the order in which they came.
  var services: [@Sendable () -> Void] { state.withLock { $0.services } }

  func add(_ service: @escaping @Sendable () -> Void) {
    state.withLock { $0.services.append(service) }
  }

  /// A call waits for code of the host; `fail` ends it if the host crashes.
  func begin(_ call: AnyObject, fail: @escaping @Sendable () -> Void) {
    state.withLock { $0.calls.append((call, fail)) }
  }

  func end(_ call: AnyObject) { state.withLock { $0.calls.removeAll { $0.call === call } } }

  /// Ends the calls that wait, since the host has crashed.
  func failCalls() {
    let calls = state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
    for call in calls { call.fail() }
  }
}

/// A call that waits for code of a host, whose first result counts.
final class HostCall<Value: Sendable>: Sendable {
  private enum State {
    case running
    case awaited(CheckedContinuation<Value, any Error>)
    case ended(Result<Value, any Error>)
  }

  private let state = Lock(State.running)

  var isRunning: Bool {
    state.withLock { if case .ended = $0 { false } else { true } }
  }

  /// The call has a result, unless it has one already.
  func end(with result: Result<Value, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
      defer { if case .ended = state {} else { state = .ended(result) } }
      return if case .awaited(let continuation) = state { continuation } else { nil }
    }
    continuation?.resume(with: result)
  }

  /// The result, which is awaited once.
  func value() async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let result = state.withLock { state -> Result<Value, any Error>? in
        if case .ended(let result) = state { return result }
        state = .awaited(continuation)
        return nil
      }
      result.map { continuation.resume(with: $0) }
    }
  }
}
