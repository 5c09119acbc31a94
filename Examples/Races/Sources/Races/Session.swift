/// Where a profile comes from.
public actor ProfileServer {
  public init() {}
  public func profile(of user: String) -> String { "profile of \(user)" }
}

/// Who is signed in, and the profile that is shown.
public protocol Session: Actor {
  init(server: ProfileServer)
  func signIn(_ user: String) async
  func signOut()
  var user: String? { get }
  var profile: String? { get }
}

/// Shows the profile when it arrives, even if the user has signed out meanwhile.
public actor RacySession: Session {
  private let server: ProfileServer
  public private(set) var user: String?
  public private(set) var profile: String?

  public init(server: ProfileServer) { self.server = server }

  public func signIn(_ user: String) async {
    self.user = user
    profile = await server.profile(of: user)
  }

  public func signOut() { (user, profile) = (nil, nil) }
}

/// Looks after the wait whether the user is still the same.
public actor FixedSession: Session {
  private let server: ProfileServer
  public private(set) var user: String?
  public private(set) var profile: String?

  public init(server: ProfileServer) { self.server = server }

  public func signIn(_ user: String) async {
    self.user = user
    let profile = await server.profile(of: user)
    if self.user == user { self.profile = profile }
  }

  public func signOut() { (user, profile) = (nil, nil) }
}
