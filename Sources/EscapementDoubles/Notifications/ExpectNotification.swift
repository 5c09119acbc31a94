public import Foundation
import _EscapementCore

/// Fails the test unless a notification is posted while a body runs, neither less nor more often.
///
/// ```swift
/// let center = NotificationCenter()
/// let manager = PlaceManager(notificationCenter: center)
/// expectNotification(named: .placesDidChange, object: manager, on: center) {
///   manager.refresh()
/// }
/// ```
///
/// Nothing is waited for: a centre calls its observers before `post` returns. So a body that posts
/// nothing fails at once. What is posted by other threads counts as well, until the body returns.
///
/// Give the code under test a centre of its own. `NotificationCenter.default` belongs to the process:
/// tests that look at it disturb each other when they run in parallel.
///
/// - Parameters:
///   - name: The name of the notification.
///   - object: The object that has to have posted it, or `nil` for any.
///   - center: The centre that the code under test has been given.
///   - count: How often it has to be posted.
///   - condition: What else has to hold for a notification that counts. It is looked at when the body
///     has returned.
///   - fileID: The caller's file.
///   - filePath: The caller's path.
///   - line: The caller's line, where the issue is reported.
///   - column: The caller's column.
///   - body: The code that posts.
/// - Returns: What the body returns.
/// - Throws: What the body throws; then nothing is reported.
public func expectNotification<Result>(
  named name: Notification.Name, object: AnyObject? = nil, on center: NotificationCenter,
  count: Int = 1, where condition: (Notification) -> Bool = { _ in true },
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  during body: () throws -> Result
) rethrows -> Result {
  let watch = NotificationWatch(name, object, center, count: count)
  let result = try body()
  watch.check(
    condition,
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  return result
}

/// Fails the test unless a notification is posted while a body runs, neither less nor more often.
///
/// The same for a body that suspends.
///
/// - Parameters:
///   - name: The name of the notification.
///   - object: The object that has to have posted it, or `nil` for any.
///   - center: The centre that the code under test has been given.
///   - count: How often it has to be posted.
///   - condition: What else has to hold for a notification that counts. It is looked at when the body
///     has returned.
///   - fileID: The caller's file.
///   - filePath: The caller's path.
///   - line: The caller's line, where the issue is reported.
///   - column: The caller's column.
///   - isolation: The caller's isolation; leave it out.
///   - body: The code that posts.
/// - Returns: What the body returns.
/// - Throws: What the body throws; then nothing is reported.
public func expectNotification<Result>(
  named name: Notification.Name, object: AnyObject? = nil, on center: NotificationCenter,
  count: Int = 1, where condition: (Notification) -> Bool = { _ in true },
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  during body: () async throws -> Result
) async rethrows -> Result {
  let watch = NotificationWatch(name, object, center, count: count)
  let result = try await body()
  watch.check(
    condition,
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  return result
}
