public import Foundation
import _EscapementCore

/// Fails the test if a notification is posted while a body runs.
///
/// With `on: .default` it finds code that was given a centre of its own and posts to the default
/// one:
///
/// ```swift
/// expectNoNotification(named: .placesDidChange, .placesDidFail, object: manager, on: .default) {
///   manager.refresh()
/// }
/// ```
///
/// All tests of the process share the default centre. Pass an `object`, so that a notification
/// which another test posts in parallel does not count.
///
/// - `names`: The names of the notifications.
/// - `object`: The object that must not post; `nil` stands for all objects.
/// - `center`: The centre to observe.
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `body`: The code that must not post.
/// - Returns: The result of the body.
/// - Throws: The error of the body, and checks nothing then.
public func expectNoNotification<Result>(
  named names: Notification.Name..., object: AnyObject? = nil, on center: NotificationCenter,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  during body: () throws -> Result
) rethrows -> Result {
  let watches = names.map { PostWatch($0, object, center, .none) }
  let result = try body()
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  for watch in watches { watch.check(at: location) }
  return result
}

/// Fails the test if a notification is posted while a body runs.
///
/// This is the variant for a body that suspends, with the same parameters.
///
/// - Returns: The result of the body.
/// - Throws: The error of the body, and checks nothing then.
public func expectNoNotification<Result>(
  named names: Notification.Name..., object: AnyObject? = nil, on center: NotificationCenter,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  during body: () async throws -> Result
) async rethrows -> Result {
  let watches = names.map { PostWatch($0, object, center, .none) }
  let result = try await body()
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  for watch in watches { watch.check(at: location) }
  return result
}
