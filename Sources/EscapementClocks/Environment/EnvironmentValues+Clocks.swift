#if canImport(SwiftUI)
  public import SwiftUI

  extension EnvironmentValues {
    /// The clock with which views measure and wait for time that goes on while the device sleeps.
    ///
    /// A `ContinuousClock` unless set; previews may set an ``ImmediateClock``.
    public var continuousClock: any Clock<Duration> {
      get { self[ContinuousClockKey.self] }
      set { self[ContinuousClockKey.self] = newValue }
    }

    /// The clock with which views measure and wait for time that stands while the device sleeps.
    ///
    /// A `SuspendingClock` unless set; previews may set an ``ImmediateClock``.
    public var suspendingClock: any Clock<Duration> {
      get { self[SuspendingClockKey.self] }
      set { self[SuspendingClockKey.self] = newValue }
    }
  }

  private enum ContinuousClockKey: EnvironmentKey {
    static let defaultValue: any Clock<Duration> = ContinuousClock()
  }

  private enum SuspendingClockKey: EnvironmentKey {
    static let defaultValue: any Clock<Duration> = SuspendingClock()
  }
#endif
