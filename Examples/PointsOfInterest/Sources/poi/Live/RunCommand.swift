import ArgumentParser
import Foundation
import PointsOfInterest

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Shows the featured places live, until interrupted.",
    discussion: "Return moves on to the next place, at most every half second.")

  static let maximumSeconds = 365 * 86_400

  @Option(name: .customLong("for"), help: "End after this many seconds.")
  var seconds: Int?

  func validate() throws {
    guard let seconds, !(1...Self.maximumSeconds).contains(seconds) else { return }
    throw ValidationError("'--for' must be from 1 to \(Self.maximumSeconds), but is \(seconds).")
  }

  @MainActor
  func run() async throws {
    let manager = FeaturedPlaceManager(loader: try BundledPlaceLoader()) { event in
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
}
