#if compiler(>=6.3)
  import EscapementTesting
  import _EscapementCore
  public import Foundation

  /// Fails the test unless a message is posted exactly `count` times while a body runs.
  ///
  /// ```swift
  /// expectMessage(PlacesDidChange.self, of: manager, on: center) { manager.refresh() }
  /// ```
  ///
  /// The function does not wait: a centre delivers messages for the main actor before `post`
  /// returns. For an `AsyncMessage`, which the centre delivers later, use a ``MessageRecorder``. To
  /// check that nothing is posted, use `expectNoMessage`.
  ///
  /// - `type`: The type of the message.
  /// - `subject`: The subject that the message must have; `nil` stands for any subject.
  /// - `center`: The centre that the code under test was given.
  /// - `count`: The expected number of messages. It must be positive.
  /// - `condition`: A further condition; messages that do not meet it do not count. It is called
  ///   after the body has returned.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  /// - `body`: The code that posts.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body, and checks nothing then.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @MainActor public func expectMessage<Message: NotificationCenter.MainActorMessage, Result>(
    _ type: Message.Type, of subject: Message.Subject? = nil, on center: NotificationCenter,
    count: Int = 1, where condition: (Message) -> Bool = { _ in true },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    during body: () throws -> Result
  ) rethrows -> Result where Message.Subject: AnyObject {
    let watch = PostWatch<Message>(subject, center, .exactly(count))
    let result = try body()
    watch.check(
      condition,
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return result
  }

  /// Fails the test unless a message is posted exactly `count` times while a body runs.
  ///
  /// This is the variant for a body that suspends, with the same parameters.
  ///
  /// - Returns: The result of the body.
  /// - Throws: The error of the body, and checks nothing then.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @MainActor public func expectMessage<Message: NotificationCenter.MainActorMessage, Result>(
    _ type: Message.Type, of subject: Message.Subject? = nil, on center: NotificationCenter,
    count: Int = 1, where condition: (Message) -> Bool = { _ in true },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    during body: @MainActor () async throws -> Result
  ) async rethrows -> Result where Message.Subject: AnyObject {
    let watch = PostWatch<Message>(subject, center, .exactly(count))
    let result = try await body()
    watch.check(
      condition,
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return result
  }
#endif
