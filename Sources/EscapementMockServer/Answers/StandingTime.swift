#if MockServer
  import EscapementMockHTTP
  import EscapementVirtualTime

  /// Makes the time of a scope stand as long as it is kept.
  final class StandingTime: Sendable {
    private let time: VirtualTime

    init(_ time: VirtualTime) {
      self.time = time
      time.openHold()
    }

    deinit { time.closeHold() }
  }
#endif
