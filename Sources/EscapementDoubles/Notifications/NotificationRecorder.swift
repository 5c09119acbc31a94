import EscapementTesting
public import Foundation
import _EscapementCore

/// A record of the notifications that are posted to a centre.
///
/// It observes from its creation to its end. The names must be said: an observer of all notifications
/// would end the process when a typed message is posted to the same centre, on Linux.
///
/// ```swift
/// let center = NotificationCenter()
/// let recorder = NotificationRecorder(center: center, named: .placesDidChange)
/// PlaceManager(notificationCenter: center).refresh()
/// #expect(recorder.notifications.count == 1)
/// ```
///
/// A centre calls its observers before `post` returns, so that nothing has to be waited for when the
/// code under test has returned. For what is posted later, iterate:
///
/// ```swift
/// for await notification in recorder { … }
/// ```
///
/// Each iteration begins with what was recorded first and waits for more. It ends when its task is
/// cancelled.
public final class NotificationRecorder: AsyncSequence, Sendable {
  /// A notification that was posted.
  public typealias Element = Notification

  /// An iteration never fails.
  public typealias Failure = Never

  private let names: [Notification.Name]
  private let recorded: RecordedElements<Notification>
  private let observation: Observation

  /// Creates a record, and observes.
  ///
  /// - Parameters:
  ///   - center: The centre to observe.
  ///   - names: The names of the notifications to record.
  ///   - object: The object that has to have posted them, or `nil` for any.
  public init(
    center: NotificationCenter, named names: Notification.Name..., object: AnyObject? = nil
  ) {
    let recorded = RecordedElements<Notification>()
    self.names = names
    self.recorded = recorded
    observation = Observation(center, names) { [poster = object.map(ObjectIdentifier.init)] in
      if poster == nil || poster == $0.poster { recorded.append($0) }
    }
  }

  /// What was posted so far, in the order of posting.
  public var notifications: [Notification] { recorded.all }

  /// Suspends until so many have been posted.
  ///
  /// In a virtual-time scope this takes as long as anything can happen there; then the scope reports
  /// that it is stuck. Elsewhere it waits for a minute of real time.
  ///
  /// - `count`: The number of notifications.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
  ///   default that of the caller.
  /// - Throws: `CancellationError` when the task is cancelled before; ``MissingEventsError``.
  public func wait(
    forCount count: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async throws {
    try await recorded.wait(
      for: count, "notifications '\(names.map(\.rawValue).joined(separator: "', '"))'",
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  // MARK: - Iterating

  /// Begins with what was recorded first.
  public func makeAsyncIterator() -> RecordIterator<Notification> { RecordIterator(self, recorded) }
}

extension Notification {
  /// Who has posted it.
  var poster: ObjectIdentifier? { object.map { ObjectIdentifier($0 as AnyObject) } }
}
