// Notifications and messages. Availability is that of developer.apple.com/documentation/foundation:
// a declaration without `@available` is older than the platforms of the package. A class is
// Sendable if Apple's headers mark it so, as the bindings of github.com/madsmtm/objc2-generated
// show, and if the package needs it; else this is stricter.

public struct Notification {
  public struct Name: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(rawValue: String) { self.rawValue = rawValue }
  }
  public var name: Name
  public var object: Any?
  public var userInfo: [AnyHashable: Any]?
  public init(name: Name, object: Any? = nil, userInfo: [AnyHashable: Any]? = nil) { fatalError() }
}
@available(*, unavailable) extension Notification: @unchecked Sendable {}

open class NotificationCenter: NSObject, @unchecked Sendable {
  open class var `default`: NotificationCenter { fatalError() }
  open func addObserver(
    forName name: Notification.Name?, object: Any?, queue: OperationQueue?,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol { fatalError() }
  open func removeObserver(_ observer: Any) { fatalError() }
  open func post(name: Notification.Name, object: Any?) { fatalError() }
  open func post(name: Notification.Name, object: Any?, userInfo: [AnyHashable: Any]?) {
    fatalError()
  }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NotificationCenter {
  public protocol MainActorMessage: SendableMetatype {
    associatedtype Subject
    static var name: Notification.Name { get }
    @MainActor static func makeMessage(_ notification: Notification) -> Self?
    @MainActor static func makeNotification(_ message: Self) -> Notification
  }
  public protocol AsyncMessage: Sendable {
    associatedtype Subject
    static var name: Notification.Name { get }
    static func makeMessage(_ notification: Notification) -> Self?
    static func makeNotification(_ message: Self) -> Notification
  }
  public protocol MessageIdentifier: SendableMetatype {
    associatedtype MessageType
  }
  public struct BaseMessageIdentifier<MessageType>: MessageIdentifier, Sendable {
    public init() where MessageType: MainActorMessage {}
    public init() where MessageType: AsyncMessage {}
  }
  public struct ObservationToken: Hashable, Sendable {}

  public func addObserver<Identifier: MessageIdentifier, Message: MainActorMessage>(
    of subject: Message.Subject, for identifier: Identifier,
    using observer: @escaping @MainActor (Message) -> Void
  ) -> ObservationToken where Identifier.MessageType == Message, Message.Subject: AnyObject {
    fatalError()
  }
  public func addObserver<Identifier: MessageIdentifier, Message: MainActorMessage>(
    of subject: Message.Subject.Type, for identifier: Identifier,
    using observer: @escaping @MainActor (Message) -> Void
  ) -> ObservationToken where Identifier.MessageType == Message { fatalError() }
  public func addObserver<Message: MainActorMessage>(
    of subject: Message.Subject? = nil, for messageType: Message.Type,
    using observer: @escaping @MainActor (Message) -> Void
  ) -> ObservationToken where Message.Subject: AnyObject { fatalError() }
  public func addObserver<Identifier: MessageIdentifier, Message: AsyncMessage>(
    of subject: Message.Subject, for identifier: Identifier,
    using observer: @escaping @Sendable (Message) async -> Void
  ) -> ObservationToken where Identifier.MessageType == Message, Message.Subject: AnyObject {
    fatalError()
  }
  public func addObserver<Identifier: MessageIdentifier, Message: AsyncMessage>(
    of subject: Message.Subject.Type, for identifier: Identifier,
    using observer: @escaping @Sendable (Message) async -> Void
  ) -> ObservationToken where Identifier.MessageType == Message { fatalError() }
  public func addObserver<Message: AsyncMessage>(
    of subject: Message.Subject? = nil, for messageType: Message.Type,
    using observer: @escaping @Sendable (Message) async -> Void
  ) -> ObservationToken where Message.Subject: AnyObject { fatalError() }
  @MainActor public func post<Message: MainActorMessage>(
    _ message: Message, subject: Message.Subject
  )
  where Message.Subject: AnyObject { fatalError() }
  @MainActor public func post<Message: MainActorMessage>(_ message: Message) { fatalError() }
  public func post<Message: AsyncMessage>(_ message: Message, subject: Message.Subject)
  where Message.Subject: AnyObject { fatalError() }
  public func post<Message: AsyncMessage>(_ message: Message) { fatalError() }
  public func removeObserver(_ token: ObservationToken) { fatalError() }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NotificationCenter.MainActorMessage {
  public static var name: Notification.Name { fatalError() }
  @MainActor public static func makeMessage(_ notification: Notification) -> Self? { fatalError() }
  @MainActor public static func makeNotification(_ message: Self) -> Notification { fatalError() }
}
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension NotificationCenter.AsyncMessage {
  public static var name: Notification.Name { fatalError() }
  public static func makeMessage(_ notification: Notification) -> Self? { fatalError() }
  public static func makeNotification(_ message: Self) -> Notification { fatalError() }
}
