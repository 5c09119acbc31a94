import EscapementMockServer
import EscapementVirtualTime
import Foundation
import NIOCore
import NIOPosix

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ReachScenario {
  static let loops = [
    ReachScenario("run loops in threads", endingAt: 30, start: runLoops),
    ReachScenario(name: "event loops of SwiftNIO", lastMillisecond: 30, play: useEventLoops),
    // Foundation takes a millisecond off the timeout of a second.
    ReachScenario(name: "URLSession and a server", lastMillisecond: 1299, play: useSession),
  ]
}

@Sendable private func runLoops(_ log: Journal, _ all: DispatchGroup) {
  for i in 0..<3 {
    all.enter()
    Thread.detachNewThread {
      let timer = Timer(timeInterval: 0.005, repeats: true) { _ in log.mark("timer \(i)") }
      RunLoop.current.add(timer, forMode: .default)
      RunLoop.current.run(until: Date() + 0.010 * Double(i + 1))
      timer.invalidate()
      log.mark("run loop \(i) ended")
      all.leave()
    }
  }
}

@Sendable private func useEventLoops(_ log: Journal) async throws {
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
  let server = try await ServerBootstrap(group: group)
    .childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(LateEcho(log))
      }
    }
    .bind(host: "127.0.0.1", port: 0).get()
  try await withThrowingTaskGroup { clients in
    for i in 0..<3 {
      clients.addTask {
        let client = try await ClientBootstrap(group: group)
          .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              try channel.pipeline.syncOperations.addHandler(Requests(3, "client \(i)", log))
            }
          }
          .connect(to: server.localAddress!).get()
        try await client.closeFuture.get()
        log.mark("client \(i) is closed")
      }
    }
    try await clients.waitForAll()
  }
  try await server.close()
  try await group.shutdownGracefully()
}

/// Answers after 10 ms.
final class LateEcho: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer
  private let log: Journal

  init(_ log: Journal) { self.log = log }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    log.mark("request")
    let channel = context.channel
    let request = unwrapInboundIn(data)
    context.eventLoop.scheduleTask(in: .milliseconds(10)) {
      channel.writeAndFlush(request, promise: nil)
    }
  }
}

/// Sends so many requests, each after the answer to the one before, and closes the connection.
final class Requests: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private var left: Int
  private let name: String
  private let log: Journal

  init(_ count: Int, _ name: String, _ log: Journal) {
    left = count
    self.name = name
    self.log = log
  }

  func channelActive(context: ChannelHandlerContext) { send(context) }

  private func send(_ context: ChannelHandlerContext) {
    context.writeAndFlush(NIOAny(context.channel.allocator.buffer(string: name)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    log.mark("answer to \(String(buffer: unwrapInboundIn(data)))")
    left -= 1
    if left > 0 { send(context) } else { context.close(promise: nil) }
  }
}

@Sendable private func useSession(_ log: Journal) async throws {
  try await withMockServer { server in
    server.stub(.get, "/fast", returns: .text("fast").delayed(by: .milliseconds(300)))
    server.stub(.get, "/slow", returns: .text("slow").delayed(by: .seconds(60)))
    for path in ["fast", "slow"] {
      var request = URLRequest(url: server.url.appendingPathComponent(path))
      request.timeoutInterval = 1
      do {
        let (data, _) = try await URLSession.shared.data(for: request)
        log.mark(String(decoding: data, as: UTF8.self))
      } catch {
        log.mark("\((error as? URLError)?.code.rawValue ?? 0)")
      }
    }
  }
}
