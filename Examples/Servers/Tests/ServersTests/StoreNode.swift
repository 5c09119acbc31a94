import EscapementTesting
import NIOCore
import NIOPosix
import Synchronization

/// A node of a store that speaks a part of the protocol of Valkey: `GET` and `SET` as inline
/// commands, and errors of replicas.
final class StoreNode: Sendable {
  struct State {
    var values: [String: String] = [:]
    /// A replica takes no `SET`.
    var isPrimary = true
    /// How long each command takes.
    var delay = TimeAmount.zero
  }

  /// It survives crashes, as a disk does.
  let state = Mutex(State())

  init(isPrimary: Bool, values: [String: String] = [:]) {
    state.withLock { ($0.isPrimary, $0.values) = (isPrimary, values) }
  }

  fileprivate func answer(to command: String) -> String {
    let words = command.split(separator: " ").map(String.init)
    return state.withLock { state in
      switch (words.first, words.count) {
      case ("GET", 2):
        guard let value = state.values[words[1]] else { return "$-1\r\n" }
        return "$\(value.utf8.count)\r\n\(value)\r\n"
      case ("SET", 3):
        guard state.isPrimary else {
          return "-READONLY You can't write against a read only replica.\r\n"
        }
        state.values[words[1]] = words[2]
        return "+OK\r\n"
      default: return "-ERR unknown command\r\n"
      }
    }
  }

  /// Serves all who come at port 6379, on an event loop of its own.
  func serve() async throws {
    try await withEventLoops(1) { loops in
      let server = try await ServerBootstrap(group: loops)
        .childChannelInitializer { [self] channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers([
              ByteToMessageHandler(Lines()), Commands(node: self),
            ])
          }
        }
        .bind(host: "0.0.0.0", port: 6379).get()
      try await server.closeFuture.get()
    }
  }
}

/// Answers the commands of a connection.
private final class Commands: ChannelInboundHandler {
  typealias InboundIn = String
  private let node: StoreNode

  init(node: StoreNode) { self.node = node }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let command = unwrapInboundIn(data)
    let context = context
    let node = node
    context.eventLoop.assumeIsolated().scheduleTask(in: node.state.withLock { $0.delay }) {
      let answer = ByteBuffer(string: node.answer(to: command))
      context.writeAndFlush(NIOAny(answer), promise: nil)
    }
  }
}

/// The lines of a connection, without their ends.
struct Lines: ByteToMessageDecoder {
  typealias InboundOut = String

  mutating func decode(
    context: ChannelHandlerContext, buffer: inout ByteBuffer
  ) -> DecodingState {
    guard let end = buffer.readableBytesView.firstIndex(of: UInt8(ascii: "\n")),
      let line = buffer.readString(length: end + 1 - buffer.readerIndex)
    else { return .needMoreData }
    // Both characters of the end are one of Swift's.
    context.fireChannelRead(wrapInboundOut(String(line.dropLast())))
    return .continue
  }
}
