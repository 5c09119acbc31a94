public import Foundation
import _EscapementCore

/// Fails the test unless a notification is posted exactly `count` times while a body runs.
///
/// ```swift
/// let center = NotificationCenter()
/// let manager = PlaceManager(notificationCenter: center)
/// expectNotification(named: .placesDidChange, object: manager, on: center) {
///   manager.refresh()
/// }
/// ```
///
/// The function does not wait. A centre calls its observers before `post` returns, so all
/// notifications have been counted when the body returns. Notifications that other threads post
/// before then count as well.
///
/// Give the code under test a centre of its own. All tests of the process share
/// `NotificationCenter.default`, so tests that observe it disturb each other when they run in
/// parallel.
///
/// To check that nothing is posted, use `expectNoNotification`.
///
/// - `name`: The name of the notification.
/// - `object`: The object that must have posted it; `nil` stands for any object.
/// - `center`: The centre that the code under test was given.
/// - `count`: The expected number of notifications. It must be positive.
/// - `condition`: A further condition; notifications that do not meet it do not count. It is called
///   after the body has returned.
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `body`: The code that posts.
/// - Returns: The result of the body.
/// - Throws: The error of the body, and checks nothing then.
public func expectNotification<Result>(
  named name: Notification.Name, object: AnyObject? = nil, on center: NotificationCenter,
  count: Int = 1, where condition: (Notification) -> Bool = { _ in true },
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  during body: () throws -> Result
) rethrows -> Result {
  let watch = PostWatch(name, object, center, .exactly(count))
  let result = try body()
  watch.check(
    condition,
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  return result
}

/// Fails the test unless a notification is posted exactly `count` times while a body runs.
///
/// This is the variant for a body that suspends, with the same parameters.
///
/// - Returns: The result of the body.
/// - Throws: The error of the body, and checks nothing then.
public func expectNotification<Result>(
  named name: Notification.Name, object: AnyObject? = nil, on center: NotificationCenter,
  count: Int = 1, where condition: (Notification) -> Bool = { _ in true },
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  during body: () async throws -> Result
) async rethrows -> Result {
  let watch = PostWatch(name, object, center, .exactly(count))
  let result = try await body()
  watch.check(
    condition,
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  return result
}
