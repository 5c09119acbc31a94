import EscapementTesting
import Foundation
import NIOCore
import NIOPosix
import Testing

@Suite struct SameLogTests {
  /// More of them look for rounds that differ.
  static let rounds =
    ProcessInfo.processInfo.environment["ESCAPEMENT_ROUNDS"].flatMap(Int.init) ?? 20

  @Test func `a server, three clients and tasks have the same log in each round`() async throws {
    var first: [String]?
    for round in 1...Self.rounds {
      let log = Log<String>()
      do {
        try await withVirtualTime { time in
          try await withEventLoops(2) { try await play(on: $0, time, log) }
        }
      } catch {
        Issue.record("round \(round): \(error)")
      }
      let entries = log.entries
      first = first ?? entries
      try #require(entries == first, "round \(round)")
    }
    for i in 0..<3 { #expect(first?.contains("client \(i) closed +110.0") == true) }
    #expect(first?.last == "task 2.12 +180.0")
    // Five answers and an end for each client, and twelve steps for each task.
    #expect(first?.count == 54)
  }
}

/// Clients send a ping each 20 seconds, tasks sleep, and the server closes connections that are idle.
private func play(
  on group: MultiThreadedEventLoopGroup, _ time: VirtualTime, _ log: Log<String>
) async throws {
  @Sendable func mark(_ entry: String) { log.append("\(entry) +\(time.now.offset / .seconds(1))") }
  let server = try await ServerBootstrap(group: group)
    .childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandlers([
          IdleStateHandler(readTimeout: .seconds(30)), CloseWhenIdle(), Echo(),
        ])
      }
    }
    .bind(host: "127.0.0.1", port: 0).get()
  try await withThrowingDiscardingTaskGroup { tasks in
    for i in 0..<3 {
      tasks.addTask {
        let client = try await ClientBootstrap(group: group)
          .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              try channel.pipeline.syncOperations.addHandler(
                Pinger(count: 5) { mark("client \(i) answer \($0)") })
            }
          }
          .connect(to: server.localAddress!).get()
        try await client.closeFuture.get()
        mark("client \(i) closed")
      }
      tasks.addTask {
        for step in 1...12 {
          try await Task.sleep(for: .seconds(5 * (i + 1)))
          mark("task \(i).\(step)")
        }
      }
    }
  }
  try await server.close().get()
}

private final class Echo: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.writeAndFlush(data, promise: nil)
  }
}

private final class CloseWhenIdle: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
  }
}

/// Sends so many pings, the next one 20 seconds after each answer.
private final class Pinger: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let count: Int
  private let whenAnswered: (Int) -> Void
  private var answers = 0

  init(count: Int, whenAnswered: @escaping @Sendable (Int) -> Void) {
    (self.count, self.whenAnswered) = (count, whenAnswered)
  }

  func channelActive(context: ChannelHandlerContext) { ping(context) }

  private func ping(_ context: ChannelHandlerContext) {
    context.writeAndFlush(NIOAny(context.channel.allocator.buffer(string: "ping")), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    answers += 1
    whenAnswered(answers)
    guard answers < count else { return }
    let context = context
    context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(20)) { self.ping(context) }
  }
}
