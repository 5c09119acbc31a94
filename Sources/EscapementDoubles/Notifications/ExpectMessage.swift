#if compiler(>=6.3)
  import EscapementTesting
  import _EscapementCore
  public import Foundation

  /// Fails the test unless a message is posted while a body runs, neither less nor more often.
  ///
  /// ```swift
  /// expectMessage(PlacesDidChange.self, of: manager, on: center) { manager.refresh() }
  /// ```
  ///
  /// Nothing is waited for: messages for the main actor are delivered before `post` returns. For an
  /// `AsyncMessage`, which is delivered later, use a ``MessageRecorder``.
  ///
  /// - Parameters:
  ///   - type: The type of the message.
  ///   - subject: The subject that it has to be of, or `nil` for any.
  ///   - center: The centre that the code under test has been given.
  ///   - count: How often it has to be posted; 0 if it must not be.
  ///   - condition: What else has to hold for a message that counts. It is looked at when the body has
  ///     returned.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's path.
  ///   - line: The caller's line, where the issue is reported.
  ///   - column: The caller's column.
  ///   - body: The code that posts.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; then nothing is reported.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @MainActor public func expectMessage<Message: NotificationCenter.MainActorMessage, Result>(
    _ type: Message.Type, of subject: Message.Subject? = nil, on center: NotificationCenter,
    count: Int = 1, where condition: (Message) -> Bool = { _ in true },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    during body: () throws -> Result
  ) rethrows -> Result where Message.Subject: AnyObject {
    let watch = MessageWatch(type, subject, center, count: count)
    let result = try body()
    watch.check(
      condition,
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return result
  }

  /// Fails the test unless a message is posted while a body runs, neither less nor more often.
  ///
  /// The same for a body that suspends.
  ///
  /// - Parameters:
  ///   - type: The type of the message.
  ///   - subject: The subject that it has to be of, or `nil` for any.
  ///   - center: The centre that the code under test has been given.
  ///   - count: How often it has to be posted; 0 if it must not be.
  ///   - condition: What else has to hold for a message that counts. It is looked at when the body has
  ///     returned.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's path.
  ///   - line: The caller's line, where the issue is reported.
  ///   - column: The caller's column.
  ///   - body: The code that posts.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; then nothing is reported.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @MainActor public func expectMessage<Message: NotificationCenter.MainActorMessage, Result>(
    _ type: Message.Type, of subject: Message.Subject? = nil, on center: NotificationCenter,
    count: Int = 1, where condition: (Message) -> Bool = { _ in true },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    during body: @MainActor () async throws -> Result
  ) async rethrows -> Result where Message.Subject: AnyObject {
    let watch = MessageWatch(type, subject, center, count: count)
    let result = try await body()
    watch.check(
      condition,
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return result
  }

  /// The messages of one type, in the centre that is looked at and in the default one.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  private struct MessageWatch<Message: NotificationCenter.MainActorMessage>
  where Message.Subject: AnyObject {
    private let count: Int
    private let all: MessageRecorder<Message>
    private let own: MessageRecorder<Message>
    private let inDefaultCenter: MessageRecorder<Message>?

    init(
      _ type: Message.Type, _ subject: Message.Subject?, _ center: NotificationCenter, count: Int
    ) {
      func recorder(_ center: NotificationCenter) -> MessageRecorder<Message> {
        subject.map { MessageRecorder(center: center, for: type, of: $0) }
          ?? MessageRecorder(center: center, for: type)
      }
      self.count = count
      all = MessageRecorder(center: center, for: type)
      own = recorder(center)
      inDefaultCenter = center === NotificationCenter.default ? nil : recorder(.default)
    }

    func check(_ condition: (Message) -> Bool, at location: SourceLocation) {
      var expectation = NotificationExpectation(name: "\(Message.self)", count: count)
      expectation.matching = own.messages.count(where: condition)
      expectation.refused = own.messages.count - expectation.matching
      expectation.ofOthers = all.messages.count - own.messages.count
      expectation.isDefaultCenter = inDefaultCenter == nil
      expectation.inDefaultCenter = inDefaultCenter?.messages.count ?? 0
      if let failure = expectation.failure {
        DoubleOwner.current.report(failure, at: location)
      }
    }
  }
#endif
