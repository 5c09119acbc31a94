#if MockServer
  import EscapementMockHTTP
  import EscapementTesting
  import FlyingSocks
  import Foundation
  import _EscapementCore

  @testable import EscapementMockServer

  /// A server whose parts a test may replace.
  final class ListeningServer: HTTPStubbing {
    let stubs: HTTPStubTable
    let url: URL
    private let network: Task<Void, Never>
    private let answering: Task<Void, Never>

    init(
      clients: any ClientObserver = LoopbackClientObserver(),
      pause: @escaping @Sendable (Duration) async throws -> Void = {
        try await Task.sleep(for: $0)
      },
      accept: @escaping @Sendable (AsyncSocket) async throws -> AsyncSocket = {
        try await $0.acceptClient()
      }
    ) throws {
      let (socket, port) = try Sockets.listen(at: 0)
      let (requests, input) = AsyncStream.makeStream(of: ServedRequest.self)
      url = URL(string: "http://127.0.0.1:\(port)")!
      stubs = HTTPStubTable(
        unmatched: .fail, verifiesAtEnd: true,
        at: SourceLocation(fileID: #fileID, filePath: #filePath, line: #line, column: #column))
      let origin = RequestOrigin(
        url: url, stubs: stubs, time: nil, requests: input, clients: clients)
      network = Task.detached {
        await Listener(socket: socket, origin: origin, pause: pause, acceptClient: accept).run()
      }
      answering = Task { for await served in requests { served.start() } }
    }

    func stop() async {
      network.cancel()
      await network.value
      answering.cancel()
      await answering.value
    }
  }
#endif
