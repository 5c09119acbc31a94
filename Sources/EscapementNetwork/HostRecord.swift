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
