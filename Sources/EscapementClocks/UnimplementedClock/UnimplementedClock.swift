import _EscapementCore

/// A clock that fails the test whenever it is used.
///
/// Give it to code that takes a clock but must not use it in the flow under test. The failure points
/// to where the clock was created; then the use goes on to the clock inside.
public struct UnimplementedClock<Duration: DurationProtocol & Hashable>: Clock, Identifiable {
  private let base: AnyClock<Duration>
  private let name: String
  private let location: SourceLocation

  /// Wraps a clock, to which each use goes on after it was reported.
  ///
  /// The name is that of the clock in messages.
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

  /// Makes a clock that goes on to an ``ImmediateClock``, which begins at `now`.
  ///
  /// The name is that of the clock in messages.
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

  /// Different for each unimplemented clock, the same for its copies.
  public var id: ObjectIdentifier { base.id }

  /// Fails the test, and asks the clock inside.
  public var now: Instant {
    location.reportIssue("Unimplemented: \(name).now")
    return Instant(offset: base.now.offset)
  }

  /// Fails the test, and asks the clock inside.
  public var minimumResolution: Duration {
    location.reportIssue("Unimplemented: \(name).minimumResolution")
    return base.minimumResolution
  }

  /// Fails the test, and sleeps on the clock inside.
  ///
  /// - Throws: What the clock inside throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    location.reportIssue("Unimplemented: \(name).sleep")
    try await base.sleep(until: AnyClock.Instant(offset: deadline.offset), tolerance: tolerance)
  }
}

extension UnimplementedClock where Duration == Swift.Duration {
  /// Makes a clock that goes on to an ``ImmediateClock``.
  ///
  /// The name is that of the clock in messages.
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
  /// A clock that fails the test, at the place of this call, whenever it is used.
  public static func unimplemented(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    UnimplementedClock(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
