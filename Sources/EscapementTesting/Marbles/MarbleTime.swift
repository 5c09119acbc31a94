import EscapementVirtualTime

/// The virtual time in which marbles are observed, counted from when the observation began.
struct MarbleTime {
  let time: VirtualTime
  let start: VirtualTime.Instant

  init?() {
    guard let time = VirtualTime.current else { return nil }
    self.time = time
    start = time.now
  }

  /// The nanoseconds since the observation began.
  var now: Int64 { start.duration(to: time.now).wholeNanoseconds }

  /// The instant, or the last one of virtual time, which is 292 years.
  func reachable(_ instant: Int64) -> Int64 {
    min(instant, Int64.max - 1 - start.offset.wholeNanoseconds)
  }

  /// Suspends until the instant, and until all work of the instant is done.
  func wait(until instant: Int64) async throws {
    let deadline = start.advanced(by: .nanoseconds(instant))
    if deadline > time.now {
      if time.isManual {
        await time.advance(to: deadline)
      } else {
        try await time.sleep(until: deadline)
      }
    }
    try Task.checkCancellation()
    await time.settle()
  }

  static func missing(_ subject: String) -> String {
    """
    \(subject) needs virtual time, and this code runs outside of all scopes.

    Give the test the trait '.virtualTime', derive its XCTest class from 'VirtualTimeTestCase', or put \
    the code into 'withVirtualTime'.
    """
  }
}
