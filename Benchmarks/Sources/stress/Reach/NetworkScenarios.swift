import EscapementNetwork
import EscapementVirtualTime
import Foundation
import NIOCore
import NIOPosix

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ReachScenario {
  /// Hosts with links of 5 ms.
  static let networks = [
    ReachScenario(name: "SwiftNIO on four hosts", lastMillisecond: 70, play: useHosts),
    ReachScenario(name: "URLSession and cut links", lastMillisecond: 1025, play: cutLinks),
    ReachScenario(name: "hosts that crash and pause", lastMillisecond: 6030, play: stopHosts),
    ReachScenario(name: "clocks that disagree", lastMillisecond: 1500, play: setClocks),
    ReachScenario(name: "names that change", lastMillisecond: 8070, play: changeNames),
    ReachScenario(name: "datagrams of SwiftNIO", lastMillisecond: 50, play: useDatagrams),
    ReachScenario(
      name: "threads with sockets on four hosts", lastMillisecond: 1063, play: useSockets),
  ]
}

func makeNetwork() throws -> SimulatedNetwork {
  let network = try SimulatedNetwork()
  network.links.latency = .milliseconds(5)
  return network
}

@Sendable private func useHosts(_ log: Journal) async throws {
  let network = try makeNetwork()
  network.host("server").run { try await serve(port: 7) { LateEcho(log) } }
  try await withThrowingTaskGroup { clients in
    for i in 0..<3 {
      clients.addTask {
        try await network.host("client-\(i)").perform {
          try await withLoop { loop in
            try await ClientBootstrap(group: loop)
              .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                  try channel.pipeline.syncOperations.addHandler(Requests(3, "client \(i)", log))
                }
              }
              .connect(host: "server", port: 7).get().closeFuture.get()
          }
        }
        log.mark("client \(i) is closed")
      }
    }
    try await clients.waitForAll()
  }
}

@Sendable private func cutLinks(_ log: Journal) async throws {
  let network = try makeNetwork()
  let (server, client) = (network.host("server"), network.host("client"))
  server.run { try await serve(port: 80) { Greeting() } }
  try await client.perform {
    let session = URLSession(configuration: .ephemeral)
    for seconds in [0, 1] {
      network.cut(from: server, to: client)
      Task {
        try await Task.sleep(for: .seconds(seconds))
        network.heal(from: server, to: client)
      }
      let (data, _) = try await session.data(from: URL(string: "http://server/")!)
      log.mark(String(decoding: data, as: UTF8.self))
    }
    session.invalidateAndCancel()
  }
}

/// In the middle of each answer, the server is stopped in another way for a second.
@Sendable private func stopHosts(_ log: Journal) async throws {
  let network = try makeNetwork()
  let (server, client) = (network.host("server"), network.host("client"))
  server.run {
    log.mark("begins")
    try await serve(port: 7) { LateEcho(log) }
  }
  let stops: [@Sendable (Bool) -> Void] = [
    { stops in if stops { server.crash() } else { server.restart() } },
    { stops in if stops { server.crash(losingPower: true) } else { server.restart() } },
    { stops in if stops { server.pause() } else { server.resume() } },
  ]
  try await client.perform {
    for stop in stops {
      try await withLoop { loop in
        let channel = try await ClientBootstrap(group: loop)
          .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              try channel.pipeline.syncOperations.addHandler(Requests(3, "client", log))
            }
          }
          .connect(host: "server", port: 7).get()
        Task {
          try await Task.sleep(for: .milliseconds(8))
          stop(true)
          try await Task.sleep(for: .seconds(1))
          stop(false)
          log.mark("goes on")
        }
        try await Task.sleep(for: .seconds(2))
        log.mark("is \(channel.isActive ? "open" : "closed")")
        try? await channel.close()
      }
    }
  }
}

@Sendable private func setClocks(_ log: Journal) async throws {
  let network = try makeNetwork()
  let start = Date()
  try await withThrowingTaskGroup { hosts in
    for (name, ahead) in [("fast", 0.25), ("right", 0), ("slow", -0.25)] {
      let host = network.host(name)
      host.clockDrift = ahead
      host.clockOffset = .seconds(ahead)
      hosts.addTask {
        try await host.perform {
          for _ in 0..<3 {
            try await Task.sleep(for: .milliseconds(500))
            log.mark("\(name) \(Int((Date().timeIntervalSince(start) * 1000).rounded()))")
          }
        }
      }
    }
    try await hosts.waitForAll()
  }
}

/// A name goes from one server to another one, while the name server is slow, and does not answer for
/// some time.
@Sendable private func changeNames(_ log: Journal) async throws {
  let network = try makeNetwork()
  network.nameServer.latency = .milliseconds(20)
  let servers = ["east", "west"].map { network.host($0) }
  for server in servers { server.run { try await serve(port: 7) { LateEcho(log) } } }
  for server in servers {
    network.setName("primary", to: server)
    network.nameServer.isDown = server == servers[1]
    try await withThrowingTaskGroup { clients in
      for i in 0..<2 {
        clients.addTask {
          try await network.host("client-\(i)").perform {
            try await withLoop { loop in
              let channel = try await ClientBootstrap(group: loop)
                .channelInitializer { channel in
                  channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Requests(2, "client \(i)", log))
                  }
                }
                .connect(host: "primary", port: 7).get()
              log.mark("client \(i) asks \(channel.remoteAddress?.ipAddress ?? "nobody")")
              try await channel.closeFuture.get()
            }
          }
        }
      }
      try await Task.sleep(for: .seconds(3))
      network.nameServer.isDown = false
      try await clients.waitForAll()
    }
  }
}

/// Three clients ask a server, each the next question after an answer.
@Sendable private func useDatagrams(_ log: Journal) async throws {
  let network = try makeNetwork()
  network.host("server").run {
    try await withLoop { loop in
      try await untilCancelled(
        DatagramBootstrap(group: loop)
          .channelOption(.datagramVectorReadMessageCount, value: 4)
          .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              try channel.pipeline.syncOperations.addHandler(Answers())
            }
          }
          .bind(host: "0.0.0.0", port: 53).get())
    }
  }
  try await withThrowingTaskGroup { clients in
    for i in 0..<3 {
      clients.addTask {
        try await network.host("client-\(i)").perform {
          try await withLoop { loop in
            let server = try SocketAddress.makeAddressResolvingHost("server", port: 53)
            try await DatagramBootstrap(group: loop)
              .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                  try channel.pipeline.syncOperations.addHandler(
                    Questions(5, to: server, "client \(i)", log))
                }
              }
              .bind(host: "0.0.0.0", port: 0).get().closeFuture.get()
          }
        }
      }
    }
    try await clients.waitForAll()
  }
}

/// Sends each datagram back.
private final class Answers: ChannelInboundHandler, Sendable {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.writeAndFlush(data, promise: nil)
  }
}

/// Asks a number of questions, each after the answer to the one before, and closes.
private final class Questions: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  private var left: Int
  private let server: SocketAddress
  private let name: String
  private let log: Journal

  init(_ count: Int, to server: SocketAddress, _ name: String, _ log: Journal) {
    (left, self.server, self.name, self.log) = (count, server, name, log)
  }

  func channelActive(context: ChannelHandlerContext) { ask(context) }

  private func ask(_ context: ChannelHandlerContext) {
    let question = AddressedEnvelope(
      remoteAddress: server, data: ByteBuffer(string: "\(name) \(left)"))
    context.writeAndFlush(NIOAny(question), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let answer = unwrapInboundIn(data)
    log.mark("\(answer.remoteAddress): \(String(buffer: answer.data))")
    left -= 1
    if left > 0 { ask(context) } else { context.close(promise: nil) }
  }
}

/// Answers each request of HTTP in the same way.
private final class Greeting: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let answer = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    context.writeAndFlush(NIOAny(answer), promise: nil)
  }
}

/// Runs a server of SwiftNIO, with a handler for each connection.
private func serve(
  port: Int, _ makeHandler: @escaping @Sendable () -> any ChannelHandler
) async throws {
  try await withLoop { loop in
    try await untilCancelled(
      ServerBootstrap(group: loop)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(makeHandler())
          }
        }
        .bind(host: "0.0.0.0", port: port).get())
  }
}

/// Waits for the end of a channel, and closes it if the task is cancelled.
private func untilCancelled(_ channel: any Channel) async throws {
  try await withTaskCancellationHandler {
    try await channel.closeFuture.get()
  } onCancel: {
    channel.close(promise: nil)
  }
}

/// Runs a body with an event loop of its own.
private func withLoop(_ body: (MultiThreadedEventLoopGroup) async throws -> Void) async throws {
  let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  do {
    try await body(loop)
  } catch {
    try await loop.shutdownGracefully()
    throw error
  }
  try await loop.shutdownGracefully()
}
