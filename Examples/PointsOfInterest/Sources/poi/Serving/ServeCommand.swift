#if Live
  import ArgumentParser
  import Foundation
  import PointsOfInterest

  struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Serves the places to this machine until you interrupt it.",
      discussion: "The address is for 'poi run --server'. The other options make trouble.")

    @Option(help: "The port to listen at; 0 for any free port.")
    var port: UInt16 = 8080

    @Option(help: "Wait for this many seconds before each answer.")
    var slow: Double = 0

    @Option(help: "Answer this percentage of the requests with status 500.")
    var failures = 0

    func validate() throws {
      if !(0...3600).contains(slow) {
        throw ValidationError("'--slow' must be from 0 to 3600, but is \(slow).")
      }
      if !(0...100).contains(failures) {
        throw ValidationError("'--failures' must be from 0 to 100, but is \(failures).")
      }
    }

    func run() async throws {
      let server = PlaceServer(
        places: try await BundledPlaceLoader().places(), port: port, delay: .seconds(slow),
        failures: failures, write: Console.write)
      let interruptions = await Interruptions.make()
      try await withThrowingTaskGroup { group in
        group.addTask { try await server.run() }
        group.addTask { for await _ in interruptions { return } }
        try await group.next()
        group.cancelAll()
      }
    }
  }
#endif
