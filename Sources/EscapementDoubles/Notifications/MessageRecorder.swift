#if compiler(>=6.3)
  import EscapementTesting
  import _EscapementCore
  public import Foundation

  /// A record of the typed messages that are posted to a centre.
  ///
  /// It observes from its creation to its end.
  ///
  /// ```swift
  /// let recorder = MessageRecorder(center: center, for: PlacesDidChange.self)
  /// manager.refresh()
  /// #expect(recorder.messages.map(\.count) == [3])
  /// ```
  ///
  /// A `MainActorMessage` has been recorded when `post` returns. An `AsyncMessage` is delivered later,
  /// by a task of the centre: wait for it, or iterate. Each iteration begins with what was recorded
  /// first and waits for more, and ends when its task is cancelled.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  public final class MessageRecorder<Message>: AsyncSequence {
    /// A message that was posted.
    public typealias Element = Message

    /// An iteration never fails.
    public typealias Failure = Never

    private let recorded = RecordedElements<Message>()
    private let token: NotificationCenter.ObservationToken

    /// Creates a record of messages that are delivered on the main actor, whatever their subject.
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

    /// Creates a record of messages that are delivered on the main actor.
    ///
    /// - Parameters:
    ///   - center: The centre to observe.
    ///   - type: The type of the messages.
    ///   - subject: The subject that they have to be of.
    public init(center: NotificationCenter, for type: Message.Type, of subject: Message.Subject)
    where Message: NotificationCenter.MainActorMessage, Message.Subject: AnyObject {
      token = center.addObserver(of: subject, for: type) { [recorded] in recorded.append($0) }
    }

    /// Creates a record of messages that are delivered asynchronously, whatever their subject.
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

    /// Creates a record of messages that are delivered asynchronously.
    ///
    /// - Parameters:
    ///   - center: The centre to observe.
    ///   - type: The type of the messages.
    ///   - subject: The subject that they have to be of.
    public init(center: NotificationCenter, for type: Message.Type, of subject: Message.Subject)
    where Message: NotificationCenter.AsyncMessage, Message.Subject: AnyObject {
      token = center.addObserver(of: subject, for: type) { [recorded] in recorded.append($0) }
    }

    /// What was delivered so far.
    public var messages: [Message] { recorded.all }

    /// Suspends until so many have been delivered.
    ///
    /// In a virtual-time scope this takes as long as anything can happen there; then the scope reports
    /// that it is stuck. Elsewhere it waits for a minute of real time.
    ///
    /// - `count`: The number of messages.
    /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
    ///   by default that of the caller.
    /// - Throws: `CancellationError` when the task is cancelled before; ``MissingEventsError``.
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

    /// Begins with what was recorded first.
    public func makeAsyncIterator() -> RecordIterator<Message> { RecordIterator(self, recorded) }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  extension MessageRecorder: Sendable where Message: Sendable {}
#endif
