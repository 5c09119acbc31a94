#if Live
  import FlyingFox
  import FlyingSocks
  import Foundation
  import PointsOfInterest
  import Synchronization

  /// A small server of places for this machine, which can make trouble.
  struct PlaceServer {
    let places: [Place]
    /// The port to listen at; 0 for any free port.
    let port: UInt16
    /// The time before each answer.
    var delay = Duration.zero
    /// The percentage of the requests that are answered with status 500.
    var failures = 0
    /// Writes a line for each answer, and one with the address when the server listens.
    let write: @Sendable (String) -> Void

    /// Serves until the task is cancelled.
    ///
    /// - Throws: ``ServingFailure`` if the server cannot listen at the port.
    func run() async throws {
      let answers = try Answers(places, failures: failures)
      let server = HTTPServer(
        address: try .inet(ip4: "127.0.0.1", port: port), timeout: 2 * 3600, logger: .disabled)
      await server.appendRoute("GET /places") { [delay, write] request in
        try await Task.sleep(for: delay)
        let answer = answers.next()
        write("GET \(request.path) \(answer.statusCode.code)\n")
        return answer
      }
      try await withThrowingTaskGroup { group in
        group.addTask { [port] in
          do {
            try await server.run()
          } catch SocketError.failed(_, EADDRINUSE, _) {
            throw ServingFailure.portInUse(port)
          } catch let error where !Task.isCancelled {
            throw ServingFailure.other("\(error)")
          } catch {
            // The cancellation has closed the server.
          }
        }
        group.addTask { [write] in
          try? await server.waitUntilListening()
          guard case .ip4(_, let port) = await server.listeningAddress else { return }
          write("Serves http://127.0.0.1:\(port) until Ctrl-C.\n")
        }
        for try await _ in group {}
      }
    }
  }

  /// The server cannot listen.
  enum ServingFailure: Error, Equatable, CustomStringConvertible {
    case portInUse(UInt16)
    case other(String)

    var description: String {
      switch self {
      case .portInUse(let port): "the port \(port) is in use; choose another one with '--port'"
      case .other(let reason): "the server cannot listen: \(reason)"
      }
    }
  }

  /// The answers, some of which are failures.
  ///
  /// The same ones fail in each run.
  private final class Answers: Sendable {
    private let body: Data
    private let failures: Int
    private let generator = Mutex(SeededGenerator(seed: 1))

    init(_ places: [Place], failures: Int) throws {
      body = try JSONEncoder().encode(PlaceFile(places: places))
      self.failures = failures
    }

    func next() -> HTTPResponse {
      let fails = generator.withLock { Int.random(in: 0..<100, using: &$0) < failures }
      guard !fails else { return HTTPResponse(statusCode: .internalServerError) }
      return HTTPResponse(
        statusCode: .ok, headers: [.contentType: "application/json"], body: body)
    }
  }
#endif
