#if compiler(>=6.3)
  import _EscapementCore
  public import Foundation

  /// Fails the test if a message is posted while a body runs.
  ///
  /// ```swift
  /// expectNoMessage(PlacesDidChange.self, of: manager, on: .default) { manager.refresh() }
  /// ```
  ///
  /// - `type`: The type of the message.
  /// - `subject`: The subject that the message must not have; `nil` stands for all subjects.
  /// - `center`: The centre to observe.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  /// - `body`: The code that must not post.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body, and checks nothing then.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @MainActor public func expectNoMessage<Message: NotificationCenter.MainActorMessage, Result>(
    _ type: Message.Type, of subject: Message.Subject? = nil, on center: NotificationCenter,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    during body: () throws -> Result
  ) rethrows -> Result where Message.Subject: AnyObject {
    let watch = PostWatch<Message>(subject, center, .none)
    let result = try body()
    watch.check(
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return result
  }

  /// Fails the test if a message is posted while a body runs.
  ///
  /// This is the variant for a body that suspends, with the same parameters.
  ///
  /// - Returns: The result of the body.
  /// - Throws: The error of the body, and checks nothing then.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @MainActor public func expectNoMessage<Message: NotificationCenter.MainActorMessage, Result>(
    _ type: Message.Type, of subject: Message.Subject? = nil, on center: NotificationCenter,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    during body: @MainActor () async throws -> Result
  ) async rethrows -> Result where Message.Subject: AnyObject {
    let watch = PostWatch<Message>(subject, center, .none)
    let result = try await body()
    watch.check(
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return result
  }
#endif
