import EscapementNetwork
import Foundation

/// The two sides between which sockets are tried.
enum Side: CaseIterable { case client, server }

/// Where sockets are: on this machine, or on two hosts of a simulated network.
struct World {
  let hosts: [Side: SimulatedHost]?

  /// Runs code of a side.
  func on<Result>(_ side: Side, _ body: () -> Result) -> Result {
    guard let host = hosts?[side] else { return body() }
    return host.performNow { body() }
  }

  /// The address at which the client finds the server.
  var server: String { hosts?[.server]?.address ?? "127.0.0.1" }

  /// Waits until all that was sent has arrived, and was answered: virtual time over a simulated
  /// network.
  func settle() { usleep(hosts == nil ? 3_000 : 500_000) }
}

/// The result of a call, and its error.
struct Answer: Equatable {
  let call: String
  let value: Int
  let error: Int32

  /// Whether the result is a set of events of `poll`.
  var areEvents: Bool {
    ["poll", "epoll_wait"].contains(call) || call.hasSuffix("events")
      || call == "close of a duplicate"
  }

  /// Notes the result of a call, and its error if it has failed.
  init(_ call: String, _ result: () -> Int) {
    errno = 0
    self.call = call
    value = result()
    error = value < 0 ? errno : 0
  }
}

extension Answer: CustomStringConvertible {
  var description: String {
    "\(call): \(error == 0 ? "\(value)" : String(cString: strerror(error)))"
  }
}

extension sockaddr_in {
  init(_ address: String, port: UInt16) {
    self.init()
    sin_family = sa_family_t(AF_INET)
    sin_addr.s_addr = inet_addr(address)
    sin_port = port.bigEndian
  }

  mutating func withPointer<Result>(
    _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result
  ) -> Result {
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &self) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
    }
  }
}
