import ArgumentParser
import Foundation
import PointsOfInterest

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Shows the featured places live until you interrupt it.",
    discussion: """
      Press Return to move to the next place, at most once every half second. Press Ctrl-C to end, \
      with a summary. If the places cannot be loaded at the start, the exit status is 1.
      """)

  static let maximumSeconds = 365 * 86_400

  // Parsed unconditionally, so that a negative number is a value and not an unknown option.
  @Option(
    name: .customLong("for"), parsing: .unconditional, help: "Stop after this many seconds.")
  var seconds: Int?

  @Option(help: "Load the places from this server, for example http://localhost:8080.")
  var server: String?

  func validate() throws {
    if let seconds, !(1...Self.maximumSeconds).contains(seconds) {
      throw ValidationError("'--for' must be from 1 to \(Self.maximumSeconds), but is \(seconds).")
    }
    if let server, URL(server: server) == nil {
      throw ValidationError("'--server' must be like http://localhost:8080, but is '\(server)'.")
    }
  }

  @MainActor
  func run() async throws {
    let run = LiveRun(
      loader: try makeLoader(), length: seconds.map(Duration.seconds),
      returns: Keyboard.returns(), interruptions: await Interruptions.make(), write: Console.write)
    try await run.untilEnd()
  }

  private func makeLoader() throws -> any PlaceLoader {
    if let url = server.flatMap({ URL(server: $0) }) { return NetworkPlaceLoader(server: url) }
    return try BundledPlaceLoader()
  }
}

extension URL {
  /// Creates the address of a server, or returns `nil` if it is not an `http` or `https` URL.
  fileprivate init?(server: String) {
    guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host != nil
    else { return nil }
    self = url
  }
}
