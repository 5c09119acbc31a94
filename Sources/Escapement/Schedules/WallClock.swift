public import _EscapementCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The clock of the calendar: an instant is a time since 1970, as in `Date`.
///
/// The system may set this clock, forwards and backwards. A sleep ends when the clock shows the
/// deadline, and looks at the clock at least every 10 minutes. So when the system sets the clock
/// forwards beyond the deadline, the sleep ends at most 10 minutes late.
///
/// In virtual time, where the standard clocks are virtual, `WallClock()` is virtual as well, and
/// nobody sets it. Elsewhere, a test passes `WallClock(startingAt:movingWith:)`.
public struct WallClock: Clock {
  /// A time since 1970-01-01T00:00:00Z, without leap seconds.
  public struct Instant: OffsetInstant {
    /// The type of the time between two instants.
    public typealias Duration = Swift.Duration

    /// The time since 1970-01-01T00:00:00Z; negative for earlier instants.
    public let offset: Duration

    /// Creates the instant at a time since 1970-01-01T00:00:00Z.
    public init(offset: Duration) { self.offset = offset }

    /// 1970-01-01T00:00:00Z.
    public static var unixEpoch: Instant { Instant(offset: .zero) }

    /// The instant in the form of ISO 8601, such as `2026-03-29T01:00:00Z`, rounded down to the
    /// second.
    public var description: String {
      let seconds = wholeSeconds
      guard CalendarRange.seconds.contains(seconds) else { return "\(offset) since 1970" }
      let days = seconds.floorDivided(by: 86_400)
      let date = CivilDate(daysSince1970: days)
      let second = seconds - days * 86_400
      func digits(_ number: Int, _ count: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
      }
      return """
        \(digits(date.year, 4))-\(digits(date.month))-\(digits(date.day))\
        T\(digits(second / 3600)):\(digits(second / 60 % 60)):\(digits(second % 60))Z
        """
    }
  }

  private enum Source {
    case system(now: @Sendable () -> Instant, isSet: @Sendable () -> Bool)
    case clock(
      now: @Sendable () -> Instant,
      sleep: @Sendable (Instant, Duration?) async throws -> Void,
      resolution: Duration)
  }

  private let source: Source

  /// Creates the clock of the system.
  public init() {
    source = .system(
      now: {
        // In some builds, Swift 6.3 takes the members of `timespec` for another module's.
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 2) { time in
          time.initialize(repeating: 0)
          time.withMemoryRebound(to: timespec.self) {
            _ = clock_gettime(CLOCK_REALTIME, $0.baseAddress!)
          }
          return Instant(offset: .seconds(Int64(time[0])) + .nanoseconds(Int64(time[1])))
        }
      }, isSet: { SettlingScope.current?.virtualizesClocks != true })
  }

  /// Creates a clock that is set as that of the system is.
  init(reading now: @escaping @Sendable () -> Instant) {
    source = .system(now: now, isSet: { true })
  }

  /// Creates a clock that shows an instant now, and from now on moves as another clock does.
  ///
  /// - Parameters:
  ///   - start: What the clock shows now.
  ///   - clock: The clock that measures the time since then, such as a `TestClock`.
  public init(startingAt start: Instant, movingWith clock: some Clock<Duration>) {
    let origin = clock.now
    source = .clock(
      now: { start.advanced(by: origin.duration(to: clock.now)) },
      sleep: { deadline, tolerance in
        let time = start.duration(to: deadline)
        let deadline = origin.advanced(by: min(max(time, .zero - .horizon), .horizon))
        try await clock.sleep(until: deadline, tolerance: tolerance)
      },
      resolution: clock.minimumResolution)
  }

  /// The present date and time.
  public var now: Instant {
    switch source {
    case .system(let now, _), .clock(let now, _, _): now()
    }
  }

  /// The smallest difference of two instants.
  public var minimumResolution: Duration {
    switch source {
    case .system: .nanoseconds(1)
    case .clock(_, _, let resolution): resolution
    }
  }

  /// Suspends until the clock shows an instant.
  ///
  /// - Parameters:
  ///   - deadline: The instant. If it has passed, the function returns at once.
  ///   - tolerance: By how much the function may be late.
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await sleep(until: deadline, tolerance: tolerance) { _ in false }
  }

  /// Suspends until the clock shows an instant, or the system has corrected it.
  ///
  /// A schedule that waits for a time of the future then computes its next run anew.
  func sleepUnlessCorrected(until deadline: Instant) async throws {
    let start = now
    try await sleep(until: deadline, tolerance: nil) { $0.isCorrection(of: start) }
  }

  private func sleep(
    until deadline: Instant, tolerance: Duration?, unless hasChanged: (Instant) -> Bool
  ) async throws {
    switch source {
    case .system(let now, let isSet):
      try Task.checkCancellation()
      let longest: Duration = isSet() ? .seconds(600) : .horizon
      while true {
        let present = now()
        let rest = present.duration(to: deadline)
        guard rest > .zero, !hasChanged(present) else { return }
        try await Task.sleep(
          for: min(rest, longest), tolerance: tolerance, clock: ContinuousClock())
      }
    case .clock(_, let sleep, _):
      try await sleep(deadline, tolerance)
    }
  }
}

extension WallClock.Instant {
  /// Whether a clock that shows this instant after another one has been corrected, and not only
  /// adjusted.
  ///
  /// Vixie's cron has the same limit, 3 hours.
  func isCorrection(of other: Self) -> Bool { advanced(by: .seconds(3 * 3600)) < other }

  /// The seconds, rounded down.
  var wholeSeconds: Int {
    let (seconds, attoseconds) = offset.clampedComponents
    return attoseconds < 0 ? max(seconds, .min + 1) - 1 : seconds
  }

  init(seconds: Int) { self.init(offset: .seconds(seconds)) }
}

extension Duration {
  /// The components, of which those of a duration beyond the range would trap.
  fileprivate var clampedComponents: (seconds: Int, attoseconds: Int) {
    let longest = Duration.longest
    let (seconds, attoseconds) = min(max(self, .zero - longest), longest).components
    return (Int(seconds), Int(attoseconds))
  }
}

/// The part of time that schedules cover: the years 1 to 9999.
enum CalendarRange {
  static var seconds: ClosedRange<Int> { -62_135_596_800...253_402_300_799 }
}
