import Foundation
import Testing

@testable import poi

@Suite struct InterruptionsTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal is an interruption, and does not end the process`(number: Int32) async {
    await #expect(processExitsWith: .exitCode(7)) { [number] in
      let interruptions = await Interruptions.make()
      kill(getpid(), number)
      for await _ in interruptions { exit(7) }
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `the second signal ends the process`(number: Int32) async {
    await #expect(processExitsWith: .signal(number)) { [number] in
      let interruptions = await Interruptions.make()
      kill(getpid(), number)
      for await _ in interruptions { kill(getpid(), number) }
    }
  }
}
