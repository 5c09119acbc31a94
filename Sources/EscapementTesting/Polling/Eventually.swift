import EscapementVirtualTime
import _EscapementCore

/// Waits until a condition is true, and fails the test if it does not become true in time.
///
/// It replaces a loop such as `while !model.isLoaded { try await Task.sleep(for: .milliseconds(10))
/// }`, which never ends if the condition stays false:
///
/// ```swift
/// try await eventually("the list is loaded") { model.isLoaded }
/// #expect(model.items.count == 3)
/// ```
///
/// In a virtual-time scope the wait takes virtual time, and so no real time. The condition is
/// checked at once, at each instant at which a task of the scope wakes, and at least at each
/// interval: each time when all work of the instant is done. So the function returns at the instant
/// at which the code under test makes the condition true. The interval matters only for a condition
/// that depends on the time alone, such as the expiry of a cache. In manual mode the function moves
/// time itself.
///
/// Outside virtual time, the condition is checked at once and then at each interval of real time.
///
/// - `description`: What is waited for, for the message of the failure.
/// - `timeout`: The longest wait. The condition is checked for the last time at its end. Zero
///   checks the condition once.
/// - `interval`: The longest time from one check to the next; must be positive.
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `isolation`: The caller's isolation; do not pass it.
/// - `condition`: The condition, on the caller's isolation. It may suspend.
/// - Returns: Whether the condition became true. If not, the test has failed.
/// - Throws: The error of the condition; `CancellationError` if the task is cancelled.
@discardableResult
public func eventually(
  _ description: String? = nil,
  within timeout: Duration = .seconds(60), pollingEvery interval: Duration = .milliseconds(100),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  _ condition: () async throws -> Bool
) async throws -> Bool {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  guard timeout >= .zero, interval > .zero else {
    location.reportIssue(
      """
      'eventually' needs a timeout that is not negative and an interval that is positive (got \
      'within' \(timeout) and 'pollingEvery' \(interval)).

      The condition was not checked. The durations may be the result of a wrong subtraction.
      """)
    return false
  }
  let time: any PollingTime =
    VirtualTime.current.map(VirtualPollingTime.init) ?? RealPollingTime(start: .now)
  let start = time.elapsed
  var checks = 0
  while true {
    try Task.checkCancellation()
    await time.settle()
    checks += 1
    if try await condition() { return true }
    let waited = time.elapsed - start
    guard waited < timeout else { break }
    try await time.wait(atMost: min(interval, timeout - waited))
  }
  let subject = description.map { "'\($0)'" } ?? "The condition of 'eventually'"
  location.reportIssue(
    """
    \(subject) did not become true within \(timeout) of \(time.name). It was checked \(checks) \
    \(checks == 1 ? "time" : "times"), at least every \(interval).

    \(time.outlook)
    """)
  return false
}

/// The time in which a condition is polled.
private protocol PollingTime {
  /// The name of the time, for messages.
  var name: String { get }

  /// The time since some instant that is always the same.
  var elapsed: Duration { get }

  /// The likely cause, and the remedy.
  var outlook: String { get }

  /// Suspends until all work that is due now is done, as far as that is known.
  func settle() async

  /// Suspends until something may have changed, but not for longer than the duration.
  func wait(atMost duration: Duration) async throws
}

private struct RealPollingTime: PollingTime {
  let start: ContinuousClock.Instant

  var name: String { "real time" }

  var elapsed: Duration { start.duration(to: .now) }

  var outlook: String {
    """
    The code under test may have taken another path, or may need longer on a loaded machine. Run the \
    test in virtual time, with '@Test(.virtualTime)' or 'withVirtualTime', or pass a longer 'within'.
    """
  }

  func settle() async {}

  func wait(atMost duration: Duration) async throws {
    try await Task.sleep(for: duration)
  }
}

private struct VirtualPollingTime: PollingTime {
  let time: VirtualTime

  var name: String { "virtual time, up to \(time.now)" }

  var elapsed: Duration { time.now.offset }

  var outlook: String {
    guard let next = time.sleepers.first else {
      return """
        No task of the scope sleeps. The code under test may have taken another path, or it may wait for \
        real work: put such work into 'hold { }' of the scope's handle.
        """
    }
    return """
      The task of the scope that wakes next is \(next).

      If the code under test needs longer, pass a longer 'within'. Otherwise it may have taken another \
      path.
      """
  }

  func settle() async { await time.settle() }

  func wait(atMost duration: Duration) async throws {
    let limit = time.now.advanced(by: duration)
    let instant = time.nextDeadline.map { min($0, limit) } ?? limit
    if time.isManual {
      // A sleep would end only when another task moves time.
      await time.advance(to: max(time.now, instant))
    } else {
      try await time.sleep(until: instant)
    }
  }
}
