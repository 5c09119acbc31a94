import Dispatch
import EscapementTesting
import TestSupport
import Testing

@Suite struct StuckAfterHoldTests {
  @Test func `a body that is stuck after a hold is found within the stall limit`() async throws {
    let options = VirtualTimeOptions(stallLimit: .milliseconds(20), holdLimit: .seconds(600))
    let start = ContinuousClock.now
    let issues = await issues {
      _ = try? await withVirtualTime(options) { time in
        await time.hold {
          await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume() }
          }
        }
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
      }
    }
    let elapsed = start.duration(to: .now)
    #expect(issues.count == 1)
    #expect(elapsed >= options.stallLimit)
    #expect(elapsed < options.holdLimit)
  }
}
