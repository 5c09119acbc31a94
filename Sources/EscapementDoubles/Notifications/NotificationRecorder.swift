import EscapementTesting
public import Foundation
import _EscapementCore

/// Records the notifications that are posted to a centre, from its creation until it is released.
///
/// The names are required: on Linux an observer of all notifications ends the process when a typed
/// message is posted to the same centre.
///
/// ```swift
/// let center = NotificationCenter()
/// let recorder = NotificationRecorder(center: center, named: .placesDidChange)
/// PlaceManager(notificationCenter: center).refresh()
/// #expect(recorder.count == 1)
/// ```
///
/// A centre calls its observers before `post` returns. So when the code under test has returned,
/// all its notifications have been recorded. To wait for notifications that are posted later,
/// iterate:
///
/// ```swift
/// for await notification in recorder { … }
/// ```
///
/// Each iteration begins with the first recorded notification and waits for further ones. It ends
/// when its task is cancelled.
public final class NotificationRecorder: AsyncSequence, Sendable {
  /// A notification that was posted.
  public typealias Element = Notification

  /// An iteration never fails.
  public typealias Failure = Never

  private let names: [Notification.Name]
  private let recorded: RecordedElements<Notification>
  private let observation: Observation

  /// Creates a recorder, which observes at once.
  ///
  /// - Parameters:
  ///   - center: The centre to observe.
  ///   - names: The names of the notifications to record.
  ///   - object: The object that must have posted them; `nil` stands for any object.
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

  /// The notifications that have been posted so far, in the order of posting.
  public var notifications: [Notification] { recorded.all }

  /// The number of notifications that have been posted so far.
  public var count: Int { recorded.count }

  /// Suspends until so many notifications have been posted.
  ///
  /// Returns at once if they have been posted already.
  ///
  /// In a virtual-time scope the wait has no limit: if nothing can happen any more, the scope
  /// reports that it is stuck. Elsewhere the limit is a minute of real time.
  ///
  /// - `count`: The number of notifications.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  /// - Throws: `CancellationError` if the task is cancelled; `MissingEventsError` at the limit.
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

  /// Creates an iterator that begins with the first recorded notification.
  public func makeAsyncIterator() -> RecordIterator<Notification> { RecordIterator(self, recorded) }
}

extension Notification {
  /// The identity of the object that has posted the notification.
  var poster: ObjectIdentifier? { object.map { ObjectIdentifier($0 as AnyObject) } }
}
