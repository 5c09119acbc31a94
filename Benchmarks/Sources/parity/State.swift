import Foundation

/// The state of a client's socket before a call is tried.
enum State: String, CaseIterable {
  case new, bound, listening, refused
  case notAccepted = "not accepted"
  case connected
  case hasData = "connected, with unread data"
  case hasEnded = "has ended sending"
  case readsNoMore = "reads no more"
  case peerHasEnded = "peer has ended sending"
  case peerHasEndedWithData = "peer has ended sending, with unread data"
  case bothHaveEnded = "both have ended sending"
  case peerHasClosed = "peer has closed"
  case peerHasClosedWithData = "peer has closed, with unread data"
  case peerHasNotRead = "peer has closed without reading"
  case peerHasReset = "peer has reset"
  case sentToClosedPeer = "peer has closed, and something was sent"
  case listenerHasClosed = "listener has closed, not accepted"

  /// Brings two sockets into this state; -1 if there is none on the side of the server.
  func make(in world: World) -> (client: Int32, server: Int32, port: UInt16) {
    var address = sockaddr_in(world.server, port: 0)
    let listener = world.on(.server) { makeSocket() }
    world.on(.server) {
      _ = address.withPointer { bind(listener, $0, $1) }
      if self != .refused { listen(listener, 8) }
      _ = address.withPointer { getsockname(listener, $0, &$1) }
    }
    let port = UInt16(bigEndian: address.sin_port)
    let client = world.on(.client) { makeSocket() }
    world.on(.client) {
      switch self {
      case .new: break
      case .bound, .listening:
        var own = sockaddr_in("0.0.0.0", port: 0)
        _ = own.withPointer { bind(client, $0, $1) }
        if self == .listening { listen(client, 8) }
      default:
        _ = address.withPointer { connect(client, $0, $1) }
      }
      makeNonBlocking(client)
    }
    world.settle()
    var server: Int32 = -1
    switch self {
    case .new, .bound, .listening, .refused, .notAccepted: break
    case .listenerHasClosed: close(listener)
    default:
      server = world.on(.server) { accept(listener, nil, nil) }
      makeNonBlocking(server)
      prepare(client, server, in: world)
    }
    world.settle()
    if self != .listenerHasClosed, self != .notAccepted { close(listener) }
    world.settle()
    return (client, server, port)
  }

  private func prepare(_ client: Int32, _ server: Int32, in world: World) {
    switch self {
    case .hasData: put(10, into: server)
    case .hasEnded: shutdown(client, Int32(SHUT_WR))
    case .readsNoMore: shutdown(client, Int32(SHUT_RD))
    case .peerHasEnded: shutdown(server, Int32(SHUT_WR))
    case .peerHasEndedWithData:
      put(10, into: server)
      shutdown(server, Int32(SHUT_WR))
    case .bothHaveEnded:
      shutdown(client, Int32(SHUT_WR))
      shutdown(server, Int32(SHUT_WR))
    case .peerHasClosed: close(server)
    case .peerHasClosedWithData:
      put(10, into: server)
      close(server)
    case .peerHasNotRead:
      put(10, into: client)
      world.settle()
      close(server)
    case .peerHasReset:
      var value = linger(l_onoff: 1, l_linger: 0)
      setsockopt(server, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
      close(server)
    case .sentToClosedPeer:
      close(server)
      world.settle()
      put(10, into: client)
    default: break
    }
  }

  /// Whether the test has closed the server's socket, whose number may be another file's.
  var isServerClosed: Bool {
    switch self {
    case .peerHasClosed, .peerHasClosedWithData, .peerHasNotRead, .peerHasReset, .sentToClosedPeer:
      true
    default: false
    }
  }
}

private func makeSocket() -> Int32 {
  socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
}

func makeNonBlocking(_ file: Int32) { _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK) }

@discardableResult func put(_ count: Int, into file: Int32) -> Int {
  send(file, [UInt8](repeating: 7, count: count), count, Int32(MSG_NOSIGNAL))
}
