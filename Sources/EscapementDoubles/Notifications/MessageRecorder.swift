#if compiler(>=6.3)
  import EscapementTesting
  import _EscapementCore
  public import Foundation

  /// Records the typed messages that are posted to a centre, from its creation until it is
  /// released.
  ///
  /// ```swift
  /// let recorder = MessageRecorder(center: center, for: PlacesDidChange.self)
  /// manager.refresh()
  /// #expect(recorder.messages.map(\.count) == [3])
  /// ```
  ///
  /// A `MainActorMessage` has been recorded when `post` returns. An `AsyncMessage` is delivered
  /// later, by a task of the centre: call ``wait(forCount:fileID:filePath:line:column:)``, or
  /// iterate. Each iteration begins with the first recorded message and waits for further ones. It
  /// ends when its task is cancelled.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  public final class MessageRecorder<Message>: AsyncSequence {
    /// A message that was posted.
    public typealias Element = Message

    /// An iteration never fails.
    public typealias Failure = Never

    private let recorded = RecordedElements<Message>()
    private let token: NotificationCenter.ObservationToken

    /// Creates a recorder of messages that are delivered on the main actor, of all subjects.
    ///
    /// - Parameters:
    ///   - center: The centre to observe.
    ///   - type: The type of the messages.
    public init(center: NotificationCenter, for type: Message.Type)
    where Message: NotificationCenter.MainActorMessage {
      token = center.addObserver(
        of: Message.Subject.self, for: NotificationCenter.BaseMessageIdentifier<Message>()
      ) { [recorded] in recorded.append($0) }
    }

    /// Creates a recorder of messages of one subject that are delivered on the main actor.
    ///
    /// - Parameters:
    ///   - center: The centre to observe.
    ///   - type: The type of the messages.
    ///   - subject: The subject that the messages must have.
    public init(center: NotificationCenter, for type: Message.Type, of subject: Message.Subject)
    where Message: NotificationCenter.MainActorMessage, Message.Subject: AnyObject {
      token = center.addObserver(of: subject, for: type) { [recorded] in recorded.append($0) }
    }

    /// Creates a recorder of messages that are delivered asynchronously, of all subjects.
    ///
    /// - Parameters:
    ///   - center: The centre to observe.
    ///   - type: The type of the messages.
    public init(center: NotificationCenter, for type: Message.Type)
    where Message: NotificationCenter.AsyncMessage {
      token = center.addObserver(
        of: Message.Subject.self, for: NotificationCenter.BaseMessageIdentifier<Message>()
      ) { [recorded] in recorded.append($0) }
    }

    /// Creates a recorder of messages of one subject that are delivered asynchronously.
    ///
    /// - Parameters:
    ///   - center: The centre to observe.
    ///   - type: The type of the messages.
    ///   - subject: The subject that the messages must have.
    public init(center: NotificationCenter, for type: Message.Type, of subject: Message.Subject)
    where Message: NotificationCenter.AsyncMessage, Message.Subject: AnyObject {
      token = center.addObserver(of: subject, for: type) { [recorded] in recorded.append($0) }
    }

    /// The messages that have been delivered so far.
    public var messages: [Message] { recorded.all }

    /// The number of messages that have been delivered so far.
    public var count: Int { recorded.count }

    /// Suspends until so many messages have been delivered.
    ///
    /// Returns at once if they have been delivered already.
    ///
    /// In a virtual-time scope the wait has no limit: if nothing can happen any more, the scope
    /// reports that it is stuck. Elsewhere the limit is a minute of real time.
    ///
    /// - `count`: The number of messages.
    /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are
    ///   attributed; by default that of the caller.
    /// - Throws: `CancellationError` if the task is cancelled; `MissingEventsError` at the limit.
    public func wait(
      forCount count: Int,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) async throws {
      try await recorded.wait(
        for: count, "messages '\(Message.self)'",
        at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    // MARK: - Iterating

    /// Creates an iterator that begins with the first recorded message.
    public func makeAsyncIterator() -> RecordIterator<Message> { RecordIterator(self, recorded) }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  extension MessageRecorder: Sendable where Message: Sendable {}
#endif
