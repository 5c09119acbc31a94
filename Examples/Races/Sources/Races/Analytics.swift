/// Counts what happens in the app. An actor, so that everybody may call it.
public actor Analytics {
  public private(set) var events: [String] = []

  public init() {}

  public func log(_ event: String) { events.append(event) }
}
