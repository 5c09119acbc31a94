extension Clock where Duration == Swift.Duration {
  /// The instant that is `duration` after now, but not beyond the horizon.
  ///
  /// The horizon is half the range of a duration, because the standard clocks trap in a sleep until
  /// an instant whose seconds do not fit into 64 bits.
  package func instant(in duration: Duration) -> Instant {
    now.advanced(by: min(duration, .horizon))
  }

  /// The instant, or the horizon if that is earlier.
  func reachable(_ instant: Instant) -> Instant {
    min(instant, self.instant(in: .horizon))
  }
}

extension Duration {
  /// The longest wait, which in practice never ends: 146 thousand million years.
  static var horizon: Duration { .seconds(Int64.max / 2) }
}
