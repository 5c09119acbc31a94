import BenchmarkSupport
import EscapementNetwork
import EscapementVirtualTime
import NIOCore
import NIOPosix

/// What is done with event loops of SwiftNIO.
enum LoopWorkload: String, CaseIterable {
  case submission = "work that a task awaits"
  case timer = "timer that a task awaits"
  case request = "request over loopback"
  case requestOfHost = "request between hosts"
  case requestBesideIdle = "the same beside 1,000 idle connections"
  case askingHost = "one of 1,000 hosts that ask once"

  private var isOnHosts: Bool { [.requestOfHost, .requestBesideIdle, .askingHost].contains(self) }

  /// How long one takes in a scope whose event loops are virtual.
  func microseconds(_ count: Int) async throws -> Double {
    try await microsecondsOfOne(of: self == .askingHost ? 1000 : count) { count in
      try await withVirtualTime { _ in try await play(count) }
    }
  }

  /// How long one takes outside of scopes, if that is possible.
  func realMicroseconds(_ count: Int) async throws -> Double? {
    isOnHosts ? nil : try await microsecondsOfOne(of: count, play)
  }

  /// How long one takes, without what comes before the first one and after the last one.
  private func microsecondsOfOne(
    of count: Int, _ play: (Int) async throws -> Void
  ) async throws -> Double {
    let start = ContinuousClock.now
    try await play(1)
    let middle = ContinuousClock.now
    try await play(count + 1)
    let rest = middle.duration(to: .now) - start.duration(to: middle)
    return rest.microseconds / Double(count)
  }

  private func play(_ count: Int) async throws {
    if isOnHosts { return try await playOnHosts(count) }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    switch self {
    case .submission:
      for _ in 0..<count { try await group.next().submit {}.get() }
    case .timer:
      for _ in 0..<count {
        try await group.next().scheduleTask(in: .microseconds(1)) {}.futureResult.get()
      }
    case .request:
      let server = try await serve("127.0.0.1", on: group)
      try await ask(count, "127.0.0.1", server.localAddress!.port!, on: group)
      try await server.close()
    case .requestOfHost, .requestBesideIdle, .askingHost: break
    }
    try await group.shutdownGracefully()
  }

  /// The same as `request`, between hosts with links that take no time.
  private func playOnHosts(_ count: Int) async throws {
    let network = try SimulatedNetwork()
    let (loops, server) = try await network.host("server").perform {
      let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      return (loops, try await serve("0.0.0.0", on: loops))
    }
    let port = server.localAddress!.port!
    for client in 0..<(self == .askingHost ? count : 1) {
      try await network.host("client\(client)").perform {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        for _ in 0..<(self == .requestBesideIdle ? 1000 : 0) {
          _ = try await ClientBootstrap(group: loops).connect(host: "server", port: port).get()
        }
        try await ask(self == .askingHost ? 1 : count, "server", port, on: loops)
        try await loops.shutdownGracefully()
      }
    }
    try await server.close()
    try await loops.shutdownGracefully()
  }
}

private func serve(
  _ address: String, on group: MultiThreadedEventLoopGroup
) async throws -> any Channel {
  try await ServerBootstrap(group: group)
    .childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(Echo())
      }
    }
    .bind(host: address, port: 0).get()
}

private func ask(
  _ count: Int, _ host: String, _ port: Int, on group: MultiThreadedEventLoopGroup
) async throws {
  let client = try await ClientBootstrap(group: group)
    .channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(Requests(count))
      }
    }
    .connect(host: host, port: port).get()
  try await client.closeFuture.get()
}

private final class Echo: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.writeAndFlush(data, promise: nil)
  }
}

/// Sends so many requests, each after the answer to the one before, and closes the connection.
private final class Requests: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private var left: Int

  init(_ count: Int) { left = count }

  func channelActive(context: ChannelHandlerContext) { send(context) }

  private func send(_ context: ChannelHandlerContext) {
    context.writeAndFlush(NIOAny(context.channel.allocator.buffer(string: "ping")), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    left -= 1
    if left > 0 { send(context) } else { context.close(promise: nil) }
  }
}
