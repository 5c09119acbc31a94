extension Clock where Duration == Swift.Duration {
  /// The instant that lies `duration` ahead, at most half the range of a duration.
  ///
  /// Nearer than the end of the range because the standard clocks trap when they are asked to sleep
  /// until an instant whose seconds do not fit 64 bits.
  func instant(in duration: Duration) -> Instant {
    now.advanced(by: min(duration, .horizon))
  }

  /// The instant, or the horizon if that is nearer.
  func reachable(_ instant: Instant) -> Instant {
    min(instant, self.instant(in: .horizon))
  }
}

extension Duration {
  /// A wait that nobody sees the end of: 146 thousand million years.
  static var horizon: Duration { .seconds(Int64.max / 2) }
}
