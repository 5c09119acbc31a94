import GRPCCore
import Testing

@testable import EscapementGRPC

@Suite struct CallEndingTests {
  @Test func `an ending follows from the error, the timeout and the cancellation`() {
    func ending(
      _ error: any Error, isExpired: Bool = false, isCancelled: Bool = false
    ) -> CallEnding {
      CallEnding(error, isExpired: isExpired, isCancelled: isCancelled)
    }
    let (rain, cancelled) = (
      RPCError(code: .unavailable, message: "rain"), RPCError(code: .cancelled, message: "")
    )
    #expect(ending(rain) == .failed(.unavailable))
    #expect(ending(rain, isExpired: true) == .failed(.unavailable))
    #expect(ending(rain, isCancelled: true) == .cancelled)
    #expect(ending(rain, isExpired: true, isCancelled: true) == .failed(.deadlineExceeded))
    #expect(ending(cancelled) == .cancelled)
    #expect(ending(cancelled, isExpired: true) == .failed(.deadlineExceeded))
    #expect(ending(CancellationError()) == .cancelled)
    #expect(ending(CircuitOpenError()) == .failed(.unknown))
    let open = RPCError(code: .unavailable, message: "", cause: CircuitOpenError())
    #expect(ending(open) == .refused)
    #expect(ending(open, isCancelled: true) == .refused)
  }

  @Test(
    arguments: [
      ("5S", .milliseconds(4_995)), ("1H", .milliseconds(3_596_400)),
      ("2M", .milliseconds(119_880)),
      ("1000m", .milliseconds(999)), ("1000u", .microseconds(999)), ("1000n", .nanoseconds(999)),
      ("99999999H", .milliseconds(359_639_996_403_600)),
    ] as [(String, Duration)])
  func `a timeout is read, less a thousandth`(text: String, duration: Duration) {
    #expect(Timeout.duration(text) == duration)
  }

  @Test(arguments: ["", "5", "S", "5s", "-5S", "123456789S", "5 S", "٥S"])
  func `other texts are not`(text: String) {
    #expect(Timeout.duration(text) == nil)
  }
}
