import CEpoll
import Foundation

/// A call, or a few, with a client's socket.
struct Call: Sendable {
  typealias Sockets = (client: Int32, server: Int32, port: UInt16)

  let name: String
  let run: @Sendable (Sockets, World) -> [Answer]

  init(_ name: String, _ run: @escaping @Sendable (Sockets, World) -> [Answer]) {
    (self.name, self.run) = (name, run)
  }

  /// A call that needs the client's socket alone, and is made once or twice.
  private init(
    _ name: String, times: Int = 1, _ call: @escaping @Sendable (Int32) -> Int
  ) {
    self.init(times == 1 ? name : "\(name), twice") { sockets, world in
      (0..<times).map { time in
        if time > 0 { world.settle() }
        return world.on(.client) { Answer(name) { call(sockets.client) } }
      }
    }
  }

  static let all: [Call] = sending + receiving + naming + options + waiting + ending

  private static let sending = [
    Call("send") { put(1, into: $0) },
    Call("send", times: 2) { put(1, into: $0) },
    Call("send nothing") { put(0, into: $0) },
    Call("write") { write($0, "x", 1) },
    Call("send until all is full") { sockets, world in
      var last = Answer("send") { 0 }
      for _ in 1...20 {
        world.on(.client) {
          repeat {
            last = Answer("send") { put(1 << 16, into: sockets.client) }
          } while last.value > 0
        }
        world.settle()
      }
      return [last]
    },
    Call("send urgent data") { send($0, "x", 1, Int32(MSG_NOSIGNAL) | Int32(MSG_OOB)) },
  ]

  private static func receive(_ file: Int32, _ count: Int, _ flags: Int) -> Int {
    var bytes = [UInt8](repeating: 0, count: max(count, 1))
    return recv(file, &bytes, count, Int32(flags))
  }

  private static let receiving = [
    Call("recv") { receive($0, 100, 0) },
    Call("recv", times: 2) { receive($0, 100, 0) },
    Call("recv a part", times: 2) { receive($0, 4, 0) },
    Call("recv nothing") { receive($0, 0, 0) },
    Call("peek", times: 2) { receive($0, 100, Int(MSG_PEEK)) },
    Call("recv all") { receive($0, 100, Int(MSG_WAITALL) | Int(MSG_DONTWAIT)) },
    Call("read") { file in
      var byte: UInt8 = 0
      return read(file, &byte, 1)
    },
    Call("unread bytes") { file in
      var count: Int32 = -7
      return ioctl(file, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
    },
  ]

  private static let naming = [
    Call("getpeername") { sockets, world in
      world.on(.client) {
        var name = sockaddr_in("0.0.0.0", port: 0)
        let result = Answer("getpeername") {
          name.withPointer { Int(getpeername(sockets.client, $0, &$1)) }
        }
        let isRight = name.sin_port == sockets.port.bigEndian
        return [result] + (result.error == 0 ? [Answer("port") { isRight ? 1 : 0 }] : [])
      }
    },
    Call("getsockname") { file in
      var name = sockaddr_in("0.0.0.0", port: 0)
      guard name.withPointer({ getsockname(file, $0, &$1) }) == 0 else { return -1 }
      return (name.sin_port == 0 ? 0 : 1) + (name.sin_addr.s_addr == 0 ? 0 : 2)
    },
    Call("connect again") { sockets, world in
      world.on(.client) {
        var name = sockaddr_in(world.server, port: sockets.port)
        let first = Answer("connect") { name.withPointer { Int(connect(sockets.client, $0, $1)) } }
        // Over loopback, a refusal may come within the call.
        world.settle()
        return [first.error == EINPROGRESS ? Answer("connect") { 0 } : first]
      }
    },
    Call("bind again") { file in
      var name = sockaddr_in("0.0.0.0", port: 0)
      return name.withPointer { Int(bind(file, $0, $1)) }
    },
    Call("listen") { Int(listen($0, 8)) },
    Call("accept") { accept($0, nil, nil) < 0 ? -1 : 0 },
    Call("connect to nobody") { sockets, world in
      world.on(.client) {
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(other) }
        var name = sockaddr_in(world.server, port: 1)
        return [Answer("connect") { name.withPointer { Int(connect(other, $0, $1)) } }]
      }
    },
  ]

  private static func option(_ level: Int32, _ name: Int32) -> @Sendable (Int32) -> Int {
    { file in
      var (value, size) = (Int32(-7), socklen_t(4))
      return getsockopt(file, level, name, &value, &size) == 0 ? Int(value) : -1
    }
  }

  private static let tcp = Int32(IPPROTO_TCP)
  private static let options = [
    Call("SO_ERROR", times: 2, option(SOL_SOCKET, SO_ERROR)),
    Call("SO_TYPE", option(SOL_SOCKET, SO_TYPE)),
    Call("SO_DOMAIN", option(SOL_SOCKET, SO_DOMAIN)),
    Call("SO_PROTOCOL", option(SOL_SOCKET, SO_PROTOCOL)),
    Call("SO_ACCEPTCONN", option(SOL_SOCKET, SO_ACCEPTCONN)),
    Call("SO_REUSEADDR", option(SOL_SOCKET, SO_REUSEADDR)),
    Call("SO_KEEPALIVE", option(SOL_SOCKET, SO_KEEPALIVE)),
    Call("TCP_NODELAY", option(tcp, TCP_NODELAY)),
    Call("TCP_KEEPIDLE", option(tcp, TCP_KEEPIDLE)),
    Call("set TCP_NODELAY") { file in
      var on: Int32 = 1
      return setsockopt(file, tcp, TCP_NODELAY, &on, 4) == 0 ? option(tcp, TCP_NODELAY)(file) : -1
    },
    Call("set SO_KEEPALIVE") { file in
      var on: Int32 = 1
      guard setsockopt(file, SOL_SOCKET, SO_KEEPALIVE, &on, 4) == 0 else { return -1 }
      return option(SOL_SOCKET, SO_KEEPALIVE)(file)
    },
  ]

  private static func events(_ file: Int32) -> Int {
    var wanted = pollfd(
      fd: file, events: Int16(POLLIN | POLLOUT | POLLPRI) | 0x2000, revents: 0)
    let count = poll(&wanted, 1, 0)
    return count < 0 ? -1 : Int(wanted.revents)
  }

  /// Asks an epoll file twice, once more after a byte has come.
  private static func ask(_ mode: UInt32) -> @Sendable (Sockets, World) -> [Answer] {
    { sockets, world in
      let epoll = world.on(.client) { make_epoll(sockets.client, mode) }
      defer { close(epoll) }
      func wait() -> Answer {
        world.on(.client) { Answer("epoll_wait") { Int(next_events(epoll)) } }
      }
      let first = [wait(), wait()]
      if sockets.server >= 0 { put(1, into: sockets.server) }
      world.settle()
      return first + [wait(), wait()]
    }
  }

  private static let waiting = [
    Call("poll", events),
    Call("epoll", ask(0)),
    Call("epoll, edges", ask(edges)),
    Call("epoll, once", ask(once)),
  ]

  private static let ending = [
    Call("shutdown of reading") { Int(shutdown($0, Int32(SHUT_RD))) },
    Call("shutdown of writing", times: 2) { Int(shutdown($0, Int32(SHUT_WR))) },
    Call("shutdown", times: 2) { Int(shutdown($0, Int32(SHUT_RDWR))) },
    Call("close") { Int(close(dup2(open("/dev/null", O_RDONLY), $0))) },
    Call("close of a duplicate") { file in
      let copy = dup(file)
      close(file)
      defer {
        dup2(copy, file)
        close(copy)
      }
      return events(copy)
    },
    Call("reset") { file in
      var value = linger(l_onoff: 1, l_linger: 0)
      setsockopt(file, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
      return Int(close(file))
    },
  ]

  /// The state of a socket afterwards.
  static func state(of file: Int32, _ name: String) -> [Answer] {
    [
      Answer("\(name)'s events", { events(file) }),
      Answer("\(name)'s error", { option(SOL_SOCKET, SO_ERROR)(file) }),
      Answer("\(name)'s bytes", { receive(file, 100, 0) }),
      Answer("\(name)'s events", { events(file) }),
    ]
  }
}
