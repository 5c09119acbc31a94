#if canImport(SwiftUI)
  public import SwiftUI

  extension EnvironmentValues {
    /// The clock with which views measure time and wait, including the time while the device
    /// sleeps.
    ///
    /// The default is a `ContinuousClock`. Previews may set an ``ImmediateClock``.
    public var continuousClock: any Clock<Duration> {
      get { self[ContinuousClockKey.self] }
      set { self[ContinuousClockKey.self] = newValue }
    }

    /// The clock with which views measure time and wait, without the time while the device sleeps.
    ///
    /// The default is a `SuspendingClock`. Previews may set an ``ImmediateClock``.
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
