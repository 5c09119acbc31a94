import ArgumentParser
import Foundation
import PointsOfInterest

#if Live
  import PlaceDatabase
#endif

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Shows the featured places live until you interrupt it.",
    discussion: """
      Press Return to move to the next place, at most once every half second. Press Ctrl-C to end, \
      with a summary. With the package trait Live, the places of a server are stored, and shown at \
      the next start until the server answers. If there are no places at all at the start, the exit status is 1.
      """)

  static let maximumSeconds = 365 * 86_400

  // Parsed unconditionally, so that a negative number is a value and not an unknown option.
  @Option(
    name: .customLong("for"), parsing: .unconditional, help: "Stop after this many seconds.")
  var seconds: Int?

  @Option(help: "Load the places from this server, for example http://localhost:8080.")
  var server: String?

  #if Live
    @Option(help: "The file that stores the server's places. (default: in the folder for caches)")
    var store: String?
  #endif

  func validate() throws {
    if let seconds, !(1...Self.maximumSeconds).contains(seconds) {
      throw ValidationError("'--for' must be from 1 to \(Self.maximumSeconds), but is \(seconds).")
    }
    if let server, URL(server: server) == nil {
      throw ValidationError("'--server' must be like http://localhost:8080, but is '\(server)'.")
    }
    #if Live
      if store != nil, server == nil {
        throw ValidationError("'--store' stores the places of a server: give '--server' as well.")
      }
    #endif
  }

  @MainActor
  func run() async throws {
    var run = LiveRun(
      loader: try BundledPlaceLoader(), length: seconds.map(Duration.seconds),
      returns: Keyboard.returns(), interruptions: await Interruptions.make(), write: Console.write)
    if let url = server.flatMap({ URL(server: $0) }) {
      run.loader = NetworkPlaceLoader(server: url)
      #if Live
        run.store = try PlaceDatabase(file: store ?? Self.defaultStore(for: url))
      #endif
    }
    if Console.isTerminal { run.writeProgress = Console.writeError }
    try await run.untilEnd()
  }

  /// A file for each server.
  static func defaultStore(for server: URL) -> String {
    let name = "\(server.host ?? "")-\(server.port ?? 80).sqlite"
    return FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
      .appending(components: "poi", name).path
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
