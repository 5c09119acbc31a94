import Foundation

/// Two answers to the same call.
struct Difference: CustomStringConvertible {
  let program: SocketProgram
  let real, simulated: Answer

  var description: String { "\(real), simulated \(simulated)" }

  /// Why the answers differ, if exactly that is known: the socket is a Unix socket, and `read`,
  /// `write` and `poll` are the kernel's own.
  var reason: String? {
    let change = "\(real.kind) \(real.shortText) \(simulated.shortText)"
    return Self.known.first { $0.isMeant(program) && $0.changes.contains(change) }?.reason
  }

  private struct Known: Sendable {
    let reason: String
    let changes: Set<String>
    let isMeant: @Sendable (SocketProgram) -> Bool

    init(
      _ reason: String, _ changes: [String], _ isMeant: @escaping @Sendable (SocketProgram) -> Bool
    ) {
      (self.reason, self.changes, self.isMeant) = (reason, Set(changes), isMeant)
    }
  }

  /// Each change is a kind of call, what it answers over loopback, and what it answers here.
  private static let known = [
    Known(
      "a socket without a connection has other errors",
      [
        "receiving ENOTCONN EINVAL", "receiving 0 EINVAL", "sending EPIPE ENOTCONN",
        "events 0x14 0x2001", "events 0x2015 0x14", "events 0x2015 0x2011",
      ]
    ) { [.new, .bound, .listening].contains($0.state) },
    Known(
      "a socket whose connection was refused is at its end",
      [
        "receiving ENOTCONN 0", "error ECONNREFUSED 0", "events 0x14 0x2015", "events 0x0 0x2015",
        "events 0x201d 0x2015", "connect 0 ECONNREFUSED", "listen 0 EINVAL", "getsockname 1 3",
      ]
    ) { $0.state == .refused },
    Known(
      "to end reading does nothing",
      [
        "receiving 0 EAGAIN", "events 0x6 0x4", "events 0x2001 0x0", "events 0x2005 0x4",
        "events 0x2005 0x5", "events 0x2015 0x4", "events 0x201d 0x2015",
      ]
    ) { $0.state == .readsNoMore || $0.call.name == "shutdown of reading" },
    Known(
      "there is no urgent data",
      [
        "error 0 ECONNRESET", "error 0 EPIPE", "error EPIPE 0", "events 0x6 0x4",
        "events 0x2015 0x2005", "events 0x201d 0x2005",
      ]
    ) { $0.call.name == "send urgent data" },
    Known("a socket cannot be bound after its connection", ["bind again 0 EINVAL"]) {
      $0.call.name == "bind again"
    },
    Known(
      "no reset is sent after the end",
      ["error EPIPE 0", "events 0x2015 0x2005", "events 0x201d 0x2005"]
    ) { $0.state == .hasEnded && $0.call.name == "reset" },
    Known(
      "after a reset, the error is told at another call, or as another one",
      [
        "error 0 ECONNRESET", "error 0 EPIPE", "sending ECONNRESET EPIPE", "events 0x2015 0x201d",
        "events 0x201d 0x2015",
      ]
    ) {
      $0.state == .sentToClosedPeer || $0.call.name.hasPrefix("send") || $0.call.name == "write"
    },
  ]
}

extension Answer {
  /// Calls of one kind have the same answers.
  fileprivate var kind: String {
    if areEvents { return "events" }
    if call.hasSuffix("bytes") || call.hasPrefix("recv") { return "receiving" }
    return switch call {
    case "peek", "read": "receiving"
    case "send", "send nothing", "send urgent data", "write": "sending"
    default: call.hasSuffix("error") ? "error" : call
    }
  }

  /// Its value or the name of its error; events as a number with the base 16.
  fileprivate var shortText: String {
    let code = kind == "error" ? Int32(value) : error
    if code != 0 { return Self.names[code] ?? "\(code)" }
    return areEvents ? "0x" + String(value, radix: 16) : "\(value)"
  }

  private static let names = [
    EAGAIN: "EAGAIN", EINVAL: "EINVAL", EPIPE: "EPIPE", ECONNREFUSED: "ECONNREFUSED",
    ECONNRESET: "ECONNRESET", ENOTCONN: "ENOTCONN",
  ]
}
