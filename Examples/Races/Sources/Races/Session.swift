/// Where a profile comes from.
package actor ProfileServer {
  package init() {}
  package func profile(of user: String) -> String { "profile of \(user)" }
}

/// Who is signed in, and the profile that is shown.
package protocol Session: Actor {
  init(server: ProfileServer)
  func signIn(_ user: String) async
  func signOut()
  var user: String? { get }
  var profile: String? { get }
}

/// Shows the profile when it arrives, even if the user has signed out meanwhile.
package actor RacySession: Session {
  private let server: ProfileServer
  package private(set) var user: String?
  package private(set) var profile: String?

  package init(server: ProfileServer) { self.server = server }

  package func signIn(_ user: String) async {
    self.user = user
    profile = await server.profile(of: user)
  }

  package func signOut() { (user, profile) = (nil, nil) }
}

/// Looks after the wait whether the user is still the same.
package actor FixedSession: Session {
  private let server: ProfileServer
  package private(set) var user: String?
  package private(set) var profile: String?

  package init(server: ProfileServer) { self.server = server }

  package func signIn(_ user: String) async {
    self.user = user
    let profile = await server.profile(of: user)
    if self.user == user { self.profile = profile }
  }

  package func signOut() { (user, profile) = (nil, nil) }
}
