import _EscapementCore

/// When a task runs: at times of day and days of the calendar, or at an interval.
///
/// ```swift
/// let workdays = try Schedule.cron("0 3 * * 1-5", in: TimeZone(identifier: "Europe/Berlin")!)
/// ```
///
/// A schedule is a value, and has no state: ``next(after:)`` always has the same result for the
/// same instant. Pass it to ``PeriodicTaskLauncher/on(_:missed:launch:)``.
///
/// **When clocks change.** Local time may skip times, and may show times twice. The rules are:
///
/// - A run whose time is missing takes place as much later as the clock skips: 02:30 becomes 03:30
///   when 02:00...03:00 is missing. If the schedule names that later time too, that is one run.
/// - A run whose time comes twice takes place the first time only. If the schedule names every
///   hour, it means a distance in time. Then the run takes place both times.
///
/// These are the rules of [RFC 5545](https://www.rfc-editor.org/rfc/rfc5545#section-3.3.5) for
/// local times, with the exception that Vixie's cron makes for every hour.
///
/// A schedule covers the years 1 to 9999, and leaves out leap seconds.
public struct Schedule: Sendable, CustomStringConvertible {
  private enum Kind {
    /// The runs of all of them.
    case local([LocalSchedule])
    case interval(Duration, from: WallClock.Instant)
    case combined([Schedule])
  }

  private let kind: Kind
  private var start: WallClock.Instant?
  private var end: WallClock.Instant?
  private var excluded: [ExcludedDays] = []
  private(set) var jitter = ScheduleJitter.none

  /// The text that the schedule was created from, such as a cron line.
  public let description: String

  private init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

// MARK: - Creating

extension Schedule {
  /// The minutes that a cron line names.
  ///
  /// The line has five fields, separated by spaces:
  ///
  /// | field | numbers | names |
  /// | --- | --- | --- |
  /// | minute | 0...59 | |
  /// | hour | 0...23 | |
  /// | day of the month | 1...31, `L` for the last one, `15W`, `LW` | |
  /// | month | 1...12 | `jan`...`dec` |
  /// | day of the week | 0...7; 0 and 7 are Sunday | `sun`...`sat` |
  ///
  /// A field is `*`, or a list of numbers and ranges, such as `1,3,10-12`. A step follows a slash:
  /// `*/15`, `10-40/10`; `5/10` is `5-59/10`. `fri#2` is the second Friday of the month and `friL`
  /// the last one. `15W` is the weekday, from Monday to Friday, that is nearest to the 15th and in
  /// the same month, and `LW` the last weekday. `?` in one of the fields for days is `*`. If both are
  /// restricted, and neither contains `*` or `?`, a day has to match one of them; otherwise it has
  /// to match both. The line may also be `@hourly`, `@daily`, `@midnight`, `@weekly`, `@monthly`,
  /// `@yearly` or `@annually`.
  ///
  /// The rules are those of Vixie's cron (crontab(5)), and `L`, `W`, `#` and `?` those of Quartz.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - zone: The local time that the line is about: a `TimeZone` (with EscapementFoundation), or
  ///     `.utc`.
  /// - Throws: ``CronSyntaxError``, which names the column.
  public static func cron(
    _ line: String, in zone: some UTCOffsets
  ) throws(CronSyntaxError) -> Schedule {
    let expression = try CronParser.parse(line)
    return Schedule(.local([LocalSchedule(expression: expression, zone: zone)]), line)
  }

  /// One or more times of each day.
  ///
  /// - Parameters:
  ///   - time: A time of day in 24 hours, such as `03:30`.
  ///   - others: Further times of day.
  ///   - zone: The local time: a `TimeZone` (with EscapementFoundation), or `.utc`.
  /// - Throws: ``CronSyntaxError`` if a time is not valid.
  public static func daily(
    at time: String, _ others: String..., in zone: some UTCOffsets
  ) throws(CronSyntaxError) -> Schedule {
    var times: [LocalSchedule] = []
    for time in [time] + others {
      times.append(LocalSchedule(expression: try CronParser.parse(timeOfDay: time), zone: zone))
    }
    let list = ([time] + others).joined(separator: ", ")
    return Schedule(.local(times), "daily at \(list)")
  }

  /// An interval, counted from an instant.
  ///
  /// The runs do not depend on when the program starts. So all replicas of a server run at the same
  /// instants. The schedule ends after 2^63 runs. For runs that count from the start, use
  /// ``PeriodicTaskLauncher/every(_:launch:)``.
  ///
  /// - Parameters:
  ///   - interval: The time from one run to the next; positive.
  ///   - start: The instant of the first run; by default 1970-01-01T00:00:00Z. So an hour is one of
  ///     the clock in UTC.
  /// - Throws: `InvalidArgumentError` if the interval is not positive.
  public static func every(
    _ interval: Duration, from start: WallClock.Instant = .unixEpoch
  ) throws(InvalidArgumentError) -> Schedule {
    guard interval > .zero else {
      throw InvalidArgumentError("interval", interval, mustBe: "positive")
    }
    return Schedule(.interval(interval, from: start), "every \(interval)")
  }

  /// The same runs, but none before an instant.
  public func starting(at start: WallClock.Instant) -> Schedule {
    var schedule = self
    schedule.start = max(start, self.start ?? start)
    return schedule
  }

  /// The same runs, but none after an instant.
  ///
  /// When there is no further run, a launcher stops.
  public func ending(at end: WallClock.Instant) -> Schedule {
    var schedule = self
    schedule.end = min(end, self.end ?? end)
    return schedule
  }

  /// The same runs, but none on some days, such as holidays.
  ///
  /// ```swift
  /// let deliveries = try workdays.excluding(days: ["2026-12-25", "2026-12-26"], in: berlin)
  /// ```
  ///
  /// - Parameters:
  ///   - days: The days, as year, month and day.
  ///   - zone: The local time of the days: a `TimeZone` (with EscapementFoundation), or `.utc`.
  /// - Throws: ``CronSyntaxError`` if a day is not valid.
  public func excluding(
    days: [String], in zone: some UTCOffsets
  ) throws(CronSyntaxError) -> Schedule {
    var schedule = self
    schedule.excluded.append(try ExcludedDays(days, in: zone))
    return schedule
  }

  /// The runs of both schedules; those at the same instant are one.
  ///
  /// Each keeps its days, its start and its end. Call ``jittered(upTo:seed:)`` on the result: delays
  /// of the two schedules are not kept.
  public func combined(with other: Schedule) -> Schedule {
    Schedule(.combined(parts + other.parts), "\(self), and \(other)")
  }

  private var parts: [Schedule] {
    guard case .combined(let parts) = kind, start == nil, end == nil, excluded.isEmpty else {
      return [self]
    }
    return parts
  }

  /// The same runs, each of which begins later by a random time.
  ///
  /// It spreads the load of many programs with the same schedule. The order of the runs stays the
  /// same. The delay of a run is computed from its instant and the seed, so that a program with the
  /// same seed has the same delays. ``next(after:)`` returns the instants without delays.
  ///
  /// - Parameters:
  ///   - longest: The longest delay; from zero to 365 days.
  ///   - seed: A number; by default a random one.
  /// - Throws: `InvalidArgumentError` if the longest delay is out of its range.
  public func jittered(
    upTo longest: Duration, seed: UInt64 = .random(in: 0 ... .max)
  ) throws(InvalidArgumentError) -> Schedule {
    guard .zero ... .seconds(365 * 86_400) ~= longest else {
      throw InvalidArgumentError("longest", longest, mustBe: "from zero to 365 days")
    }
    var schedule = self
    schedule.jitter = ScheduleJitter(longest: longest, seed: seed)
    return schedule
  }
}

// MARK: - Runs

extension Schedule {
  /// The instant of the first run that is later than an instant, or `nil` if there is none.
  ///
  /// - Complexity: O(*w*) for a schedule of local time, where *w* is the number of weeks until the
  ///   run, and O(1) for an interval; and for each day that is left out before the run, as much
  ///   again.
  public func next(after instant: WallClock.Instant) -> WallClock.Instant? {
    var instant = instant
    if let start, instant < start { instant = start.justBefore }
    while let run = nextOfKind(after: instant) {
      if let end, run > end { return nil }
      let dayEnd = excluded.lazy.compactMap { $0.end(ofDayOf: run) }.first
      guard let dayEnd else { return run }
      instant = dayEnd.justBefore
    }
    return nil
  }

  private func nextOfKind(after instant: WallClock.Instant) -> WallClock.Instant? {
    switch kind {
    case .local(let schedules):
      let range = CalendarRange.seconds
      let second = max(instant.wholeSeconds, range.lowerBound)
      guard second < range.upperBound else { return nil }
      return schedules.compactMap { $0.next(after: second, through: range.upperBound) }.min()
        .map { WallClock.Instant(seconds: $0) }
    case .interval(let interval, let start):
      guard instant >= start else { return start }
      let count = Saturating.quotient(start.duration(to: instant), interval)
      guard count < .max else { return nil }
      let next = start.advanced(by: Saturating.product(interval, count + 1))
      return next > instant ? next : nil
    case .combined(let schedules):
      return schedules.compactMap { $0.next(after: instant) }.min()
    }
  }

  /// The instants of the runs that are later than an instant, in order.
  ///
  /// The sequence ends only when the schedule does.
  public func runs(after instant: WallClock.Instant) -> some Sequence<WallClock.Instant> {
    sequence(state: instant) { last in
      guard let next = next(after: last) else { return nil }
      last = next
      return next
    }
  }
}

extension WallClock.Instant {
  /// The latest instant before this one.
  fileprivate var justBefore: Self {
    advanced(by: Duration(secondsComponent: 0, attosecondsComponent: -1))
  }
}

/// By how much runs begin later.
struct ScheduleJitter: Sendable {
  let longest: Duration
  let seed: UInt64

  static var none: Self { Self(longest: .zero, seed: 0) }

  /// The instant at which a run begins.
  func delayed(_ run: WallClock.Instant) -> WallClock.Instant {
    let range = UInt64(longest.wholeNanoseconds)
    guard range > 0 else { return run }
    let mixed = SplitMix64.mixed(
      UInt64(bitPattern: run.offset.wholeNanoseconds) &+ seed &* SplitMix64.increment)
    return run.advanced(by: .nanoseconds(Int64(mixed.multipliedFullWidth(by: range + 1).high)))
  }
}
