import ArgumentParser
import EscapementMockHTTP
import EscapementMockServer
import Foundation
import PointsOfInterest
import TestSupport
import Testing

@testable import poi

#if Live
  import PlaceDatabase
#endif

@Suite struct InterruptionsTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal is an interruption, and does not end the process`(number: Int32) async {
    await #expect(processExitsWith: .exitCode(7)) { [number] in
      let interruptions = await Interruptions.make()
      kill(getpid(), number)
      for await _ in interruptions { exit(7) }
    }
  }

  #if Live
    @Test func `Ctrl-C while loading ends the run with a summary, and the stored places stay`()
      async throws
    {
      let folder = try TemporaryFolder()
      let file = folder.file("places.sqlite")
      try await PlaceDatabase(file: file).replacePlaces(with: [place("Old Park", .park)])
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) { [file = file as String] in
        setenv("IS_UNIT_TESTING", "0", 1)
        try await withMockServer { server in
          server.stub(.get, "/places") { _ in
            kill(getpid(), SIGINT)
            return .never
          }
          let arguments = ["run", "--server", "\(server.url)", "--store", file]
          let command = try PointsOfInterestCommand.parseAsRoot(arguments)
          try await (command as? RunCommand)?.run()
        }
      }
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      #expect(output.contains("1 open, as stored"))
      #expect(output.contains("1 place, 0 rotations, 0 refreshes in"))
      #expect(try await PlaceDatabase(file: file).places().map(\.name) == ["Old Park"])
    }
  #endif

  @Test(arguments: [SIGINT, SIGTERM])
  func `the second signal ends the process`(number: Int32) async {
    await #expect(processExitsWith: .signal(number)) { [number] in
      let interruptions = await Interruptions.make()
      kill(getpid(), number)
      for await _ in interruptions { kill(getpid(), number) }
    }
  }
}
