#if compiler(>=6.3)
  import EscapementTesting
  import Foundation
  import _EscapementCore

  /// Records the messages of one type while a body runs, in the observed centre and in the default
  /// one.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  struct MessageWatch<Message: NotificationCenter.MainActorMessage>
  where Message.Subject: AnyObject {
    private let quantity: NotificationExpectation.Quantity
    private let all: MessageRecorder<Message>
    private let own: MessageRecorder<Message>
    private let inDefaultCenter: MessageRecorder<Message>?

    init(
      _ type: Message.Type, _ subject: Message.Subject?, _ center: NotificationCenter,
      _ quantity: NotificationExpectation.Quantity
    ) {
      func recorder(_ center: NotificationCenter) -> MessageRecorder<Message> {
        subject.map { MessageRecorder(center: center, for: type, of: $0) }
          ?? MessageRecorder(center: center, for: type)
      }
      self.quantity = quantity
      all = MessageRecorder(center: center, for: type)
      own = recorder(center)
      inDefaultCenter = center === NotificationCenter.default ? nil : recorder(.default)
    }

    /// Fails the test if the number of messages is not the expected one.
    func check(
      _ condition: (Message) -> Bool = { _ in true }, at location: SourceLocation
    ) {
      var expectation = NotificationExpectation(name: "\(Message.self)", quantity: quantity)
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
