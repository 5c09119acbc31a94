import Foundation

/// Two answers to the same call.
struct Difference: CustomStringConvertible {
  let program: SocketProgram
  let real, simulated: Answer

  var description: String { "\(real), simulated \(simulated)" }

  /// Why the answers differ, if that is known: the socket is a Unix socket, and `read`, `write` and
  /// `poll` are the kernel's own.
  var reason: String? {
    switch program.state {
    case .new, .bound, .listening: return "a socket without a connection has other errors"
    case .refused: return "a socket whose connection was refused is at its end"
    case .readsNoMore: return "to end reading does nothing"
    default: break
    }
    switch program.call.name {
    case "shutdown of reading": return "to end reading does nothing"
    case "send urgent data": return "there is no urgent data"
    case "bind again": return "a socket cannot be bound after its connection"
    case "reset" where program.state == .hasEnded: return "no reset is sent after the end"
    default: break
    }
    let isOfError =
      real.areEvents
      ? (real.value ^ simulated.value) == Int(POLLERR)
      : [ECONNRESET, EPIPE].contains(real.error) || real.call.hasSuffix("error")
    return isOfError ? "after a reset, the error is told at another call, or as another one" : nil
  }
}
