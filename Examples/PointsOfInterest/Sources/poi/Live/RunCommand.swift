import ArgumentParser
import Foundation
import PointsOfInterest

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Shows the featured places live until you interrupt it.",
    discussion: "Press Return to move to the next place, at most once every half second.")

  static let maximumSeconds = 365 * 86_400

  @Option(name: .customLong("for"), help: "Stop after this many seconds.")
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
    let manager = FeaturedPlaceManager(loader: try makeLoader()) { event in
      Console.write(LiveLine(event: event, date: Date()).text)
    }
    manager.start()
    let input = Task {
      for await _ in Keyboard.returns() { manager.userAskedForNext() }
    }
    repeat {
      try await Task.sleep(for: .seconds(seconds ?? Self.maximumSeconds))
    } while seconds == nil
    input.cancel()
    manager.stop()
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
