public import Foundation
import _EscapementCore

/// Fails the test if a notification is posted while a body runs.
///
/// With `on: .default` it shows that code which was given a centre of its own does not post past it:
///
/// ```swift
/// expectNoNotification(named: .placesDidChange, .placesDidFail, object: manager, on: .default) {
///   manager.refresh()
/// }
/// ```
///
/// That centre belongs to the process. If tests run in parallel that post the same names there, the
/// `object` tells them apart.
///
/// - Parameters:
///   - names: The names of the notifications.
///   - object: The object whose notifications are meant, or `nil` for any.
///   - center: The centre to look at.
///   - fileID: The caller's file.
///   - filePath: The caller's path.
///   - line: The caller's line, where the issue is reported.
///   - column: The caller's column.
///   - body: The code that must not post.
/// - Returns: What the body returns.
/// - Throws: What the body throws; then nothing is reported.
public func expectNoNotification<Result>(
  named names: Notification.Name..., object: AnyObject? = nil, on center: NotificationCenter,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  during body: () throws -> Result
) rethrows -> Result {
  let watches = names.map { NotificationWatch($0, object, center, count: 0) }
  let result = try body()
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  for watch in watches { watch.check(at: location) }
  return result
}

/// Fails the test if a notification is posted while a body runs.
///
/// The same for a body that suspends.
///
/// - Parameters:
///   - names: The names of the notifications.
///   - object: The object whose notifications are meant, or `nil` for any.
///   - center: The centre to look at.
///   - fileID: The caller's file.
///   - filePath: The caller's path.
///   - line: The caller's line, where the issue is reported.
///   - column: The caller's column.
///   - isolation: The caller's isolation; leave it out.
///   - body: The code that must not post.
/// - Returns: What the body returns.
/// - Throws: What the body throws; then nothing is reported.
public func expectNoNotification<Result>(
  named names: Notification.Name..., object: AnyObject? = nil, on center: NotificationCenter,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  during body: () async throws -> Result
) async rethrows -> Result {
  let watches = names.map { NotificationWatch($0, object, center, count: 0) }
  let result = try await body()
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  for watch in watches { watch.check(at: location) }
  return result
}
