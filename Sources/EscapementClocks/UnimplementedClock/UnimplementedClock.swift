import _EscapementCore

/// A clock that fails the test whenever it is used.
///
/// Pass it to code that takes a clock but must not use it in the flow under test. The failure is
/// reported at the line that created the clock. Then the clock forwards the call to the clock that
/// it wraps.
public struct UnimplementedClock<Duration: DurationProtocol & Hashable>: Clock, Identifiable {
  /// A point in time of the wrapped clock.
  public typealias Instant = AnyClock<Duration>.Instant

  private let base: AnyClock<Duration>
  private let name: String
  private let location: SourceLocation

  /// Wraps a clock, to which each call is forwarded after it was reported.
  ///
  /// - `base`: The clock to wrap.
  /// - `name`: The name of the clock in messages.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init<C: Clock>(
    _ base: C,
    name: String = "\(C.self)",
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where C.Duration == Duration {
    self.base = AnyClock(base)
    self.name = name
    location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Creates a clock that forwards each call to an ``ImmediateClock``.
  ///
  /// - `name`: The name of the clock in messages.
  /// - `now`: The initial time of the immediate clock.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init(
    name: String = "Clock",
    now: ImmediateClock<Duration>.Instant = .init(),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      ImmediateClock(now: now), name: name,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The identity of the clock.
  ///
  /// Copies of a clock have the same identity.
  public var id: ObjectIdentifier { base.id }

  /// Fails the test, and returns the value of the wrapped clock.
  public var now: Instant {
    location.reportIssue("Unimplemented: \(name).now")
    return base.now
  }

  /// Fails the test, and returns the value of the wrapped clock.
  public var minimumResolution: Duration {
    location.reportIssue("Unimplemented: \(name).minimumResolution")
    return base.minimumResolution
  }

  /// Fails the test, and sleeps on the wrapped clock.
  ///
  /// - Throws: The error of the wrapped clock: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    location.reportIssue("Unimplemented: \(name).sleep")
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}

extension UnimplementedClock where Duration == Swift.Duration {
  /// Creates a clock that forwards each call to an ``ImmediateClock``.
  ///
  /// - `name`: The name of the clock in messages.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init(
    name: String = "Clock",
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      name: name, now: .init(), fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension Clock where Self == UnimplementedClock<Swift.Duration> {
  /// Creates a clock that fails the test, at the line of this call, whenever it is used.
  public static func unimplemented(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    UnimplementedClock(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
