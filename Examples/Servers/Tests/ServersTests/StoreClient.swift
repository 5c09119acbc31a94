import Escapement
import NIOCore
import NIOPosix

/// A client of a store with several nodes: it asks the next one if a node does not answer in time, or refuses to write.
///
/// It keeps a connection to each node while that works.
actor StoreClient {
  struct TimedOut: Error, Equatable {}
  struct Refused: Error, Equatable { let message: String }

  private let nodes: [String]
  private let loops: MultiThreadedEventLoopGroup
  private let timeout: TimeAmount
  private var connections: [String: any Channel] = [:]
  /// The node that has answered last.
  private var current = 0

  init(_ nodes: [String], on loops: MultiThreadedEventLoopGroup, timeout: TimeAmount = .seconds(1))
  {
    (self.nodes, self.loops, self.timeout) = (nodes, loops, timeout)
  }

  /// Asks one node after the other, each of them up to three times.
  ///
  /// - Returns: The answer, and the node that has given it.
  func ask(_ command: String) async throws -> (answer: String, node: String) {
    var failure: (any Error)?
    for _ in 0..<3 * nodes.count {
      let node = nodes[current]
      do {
        return (try await ask(command, of: node), node)
      } catch {
        failure = error
        current = (current + 1) % nodes.count
      }
    }
    throw failure!
  }

  /// Asks one node once.
  func ask(_ command: String, of node: String) async throws -> String {
    let channel = try await connection(to: node)
    let answer = channel.eventLoop.makePromise(of: String.self)
    let limit = channel.eventLoop.scheduleTask(in: timeout) {
      answer.fail(TimedOut())
      // A late answer would be taken for the next one.
      channel.close(promise: nil)
    }
    channel.writeAndFlush((command, answer), promise: nil)
    do {
      let text = try await answer.futureResult.get()
      limit.cancel()
      guard !text.hasPrefix("-") else { throw Refused(message: text) }
      return text
    } catch {
      if !(error is Refused) { connections[node] = nil }
      throw error
    }
  }

  private func connection(to node: String) async throws -> any Channel {
    if let known = connections[node], known.isActive { return known }
    let new = try await ClientBootstrap(group: loops)
      .connectTimeout(timeout)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(Lines()), Answers(),
          ])
        }
      }
      .connect(host: node, port: 6379).get()
    connections[node] = new
    return new
  }
}

/// Gives each command the next answer.
private final class Answers: ChannelDuplexHandler {
  typealias InboundIn = String
  typealias OutboundIn = (String, EventLoopPromise<String>)
  typealias OutboundOut = ByteBuffer
  private var waiting: [EventLoopPromise<String>] = []

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let (command, answer) = unwrapOutboundIn(data)
    waiting.append(answer)
    let bytes = ByteBuffer(string: command + "\r\n")
    context.write(wrapOutboundOut(bytes), promise: promise)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let line = unwrapInboundIn(data)
    // The length of a value, which comes in the next line.
    guard line == "$-1" || !line.hasPrefix("$") else { return }
    waiting.removeFirst().succeed(line)
  }

  func channelInactive(context: ChannelHandlerContext) {
    for answer in waiting { answer.fail(ChannelError.eof) }
    waiting = []
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
