/// A leader wants to replace entries that were safe: disks have lost what they had confirmed.
struct SafeEntriesAreLost: Error {}

/// The decisions of a member of a cluster: who leads, and which entries are safe.
///
/// The algorithm is Raft (Ongaro, Ousterhout: *In Search of an Understandable Consensus Algorithm*, 2014), with
/// leases, so that a leader can answer without asking the others (Ongaro's dissertation, 6.4.1). Entries are kept for
/// ever, and the members are always the same.
struct Member {
  typealias Instant = ContinuousClock.Instant

  enum Role {
    case follower
    case candidate(voters: Set<String>)
    case leader(Leadership)
  }

  /// A request that is to be sent.
  struct Message {
    let receiver: String
    let request: Request
    let sent: Instant
  }

  /// How often a leader tells the others that it leads.
  static let heartbeat: Duration = .milliseconds(500)
  /// For how long a leader may answer clients after enough members have helped it.
  static let lease: Duration = .milliseconds(1000)
  /// For how long a member that has helped a leader helps nobody else: longer than the lease.
  static let loyalty: Duration = .milliseconds(1500)

  let name: String
  private let peers: [String]
  /// For how long it waits for a leader: each member half a second longer than the one before.
  private let patience: Duration
  private let trustsAnEndedLease: Bool
  private(set) var state: SavedState
  private(set) var role = Role.follower
  /// How many entries are safe, since most members have them on their disks.
  private(set) var committed = 0
  /// When it has last helped a leader, and since when it waits for one.
  private var helped, waiting: Instant

  /// A member that begins with what it has saved in a former life.
  init(name: String, cluster: [String], state: SavedState, flaws: Set<Flaw> = [], at now: Instant) {
    self.name = name
    self.state = state
    peers = cluster.filter { $0 != name }
    patience = Self.loyalty + .milliseconds(500) * (cluster.firstIndex(of: name) ?? 0)
    trustsAnEndedLease = flaws.contains(.trustsAnEndedLease)
    // It may have helped a leader a moment ago, if it had a former life.
    helped = state.term > 0 ? now : now - Self.loyalty
    waiting = helped
  }

  // MARK: Clients

  /// Appends a booking, and returns the number of entries that must be safe then; `nil` if the member does not lead.
  mutating func book(_ booking: Booking) -> Int? {
    guard case .leader = role else { return nil }
    append(booking)
    return state.entries.count
  }

  /// Whether no other member can have led since, and the safe entries are all that were ever safe.
  ///
  /// A new leader knows the latter when its first entry is safe.
  func mayAnswer(at now: Instant) -> Bool {
    guard case .leader(let leadership) = role, state.position(of: committed).term == state.term
    else { return false }
    return trustsAnEndedLease || now - leadership.leaseStart < Self.lease
  }

  // MARK: Time

  /// A heartbeat is due, or an election.
  mutating func tick(at now: Instant) -> [Message] {
    if case .leader(let leadership) = role {
      if !trustsAnEndedLease, now - leadership.leaseStart >= patience {
        follow(inTerm: state.term, at: now)
      }
      return appends(at: now)
    }
    guard now - waiting >= patience else { return [] }
    waiting = now
    state.change(.term(state.term + 1, vote: name))
    role = .candidate(voters: [])
    return peers.map { message(to: $0, .vote(state.end), at: now) }
  }

  /// The messages of a leader to the others; none if the member does not lead.
  func appends(at now: Instant) -> [Message] {
    guard case .leader(let leadership) = role else { return [] }
    return peers.map { append(to: $0, leadership, at: now) }
  }

  // MARK: Other members

  /// - Throws: ``SafeEntriesAreLost``.
  mutating func receive(_ request: Request, at now: Instant) throws(SafeEntriesAreLost) -> Reply {
    let isAccepted = try accepts(request, at: now)
    return Reply(term: state.term, isAccepted: isAccepted, count: state.entries.count)
  }

  private mutating func accepts(
    _ request: Request, at now: Instant
  ) throws(SafeEntriesAreLost) -> Bool {
    switch request.content {
    case .vote(let position):
      guard !isLoyal(at: now), request.term >= state.term else { return false }
      follow(inTerm: request.term, at: now)
      guard state.vote == nil || state.vote == request.sender, state.end <= position else {
        return false
      }
      state.change(.term(state.term, vote: request.sender))
      (helped, waiting) = (now, now)

    case .append(let position, let new, let safe):
      guard request.term >= state.term else { return false }
      follow(inTerm: request.term, at: now)
      (helped, waiting) = (now, now)
      guard position.count <= state.entries.count, state.position(of: position.count) == position
      else { return false }
      let known = zip(state.entries[position.count...], new).prefix { $0.term == $1.term }.count
      if known < new.count {
        guard position.count + known >= committed else { throw SafeEntriesAreLost() }
        state.change(.entries(after: position.count + known, Array(new[known...])))
      }
      committed = max(committed, min(safe, position.count + new.count))
    }
    return true
  }

  private func isLoyal(at now: Instant) -> Bool {
    guard case .leader(let leadership) = role else { return now - helped < Self.loyalty }
    return now - leadership.leaseStart < Self.lease
  }

  /// A member has answered a message.
  mutating func receive(_ reply: Reply, to message: Message, at now: Instant) -> [Message] {
    if reply.term > state.term { follow(inTerm: reply.term, at: now) }
    guard message.request.term == state.term, reply.term == state.term else { return [] }
    switch (message.request.content, role) {
    case (.vote, .candidate(var voters)) where reply.isAccepted:
      voters.insert(message.receiver)
      role = .candidate(voters: voters)
      return voters.count < (peers.count + 1) / 2 ? [] : lead(voters, since: message.sent, at: now)

    case (.append(let position, let new, _), .leader(var leadership)):
      let (peer, sent) = (message.receiver, message.sent)
      if reply.isAccepted {
        leadership.accept(position.count + new.count, from: peer, sent: sent)
      } else {
        leadership.refuse(min(position.count - 1, reply.count), from: peer, sent: sent)
      }
      update(leadership)
      return reply.isAccepted ? [] : [append(to: peer, leadership, at: now)]

    default: return []
    }
  }

  // MARK: The disk

  /// The records that must be saved before anyone is told of them.
  mutating func takeRecords() -> [SavedState.Record] { state.takeRecords() }

  /// The first entries of a term are saved.
  mutating func save(_ count: Int, inTerm term: Int) {
    // A leader never replaces entries in its term.
    guard case .leader(var leadership) = role, term == state.term else { return }
    leadership.save(count)
    update(leadership)
  }

  // MARK: Steps

  private mutating func follow(inTerm term: Int, at now: Instant) {
    if case .leader = role { waiting = now }
    if term > state.term { state.change(.term(term, vote: nil)) }
    role = .follower
  }

  private mutating func lead(_ voters: Set<String>, since start: Instant, at now: Instant)
    -> [Message]
  {
    role = .leader(
      Leadership(peers: peers, voters: voters, count: state.entries.count, since: start))
    append(nil)
    return appends(at: now)
  }

  private mutating func append(_ booking: Booking?) {
    let entry = Entry(term: state.term, booking: booking)
    state.change(.entries(after: state.entries.count, [entry]))
  }

  /// An entry of this term that most members have is safe, and so are those before it.
  private mutating func update(_ leadership: Leadership) {
    role = .leader(leadership)
    let agreed = leadership.agreed
    if agreed > committed, state.position(of: agreed).term == state.term { committed = agreed }
  }

  private func append(to peer: String, _ leadership: Leadership, at now: Instant) -> Message {
    let next = leadership.next(of: peer)
    let content = Request.Content.append(
      after: state.position(of: next), Array(state.entries[next...]), committed: committed)
    return message(to: peer, content, at: now)
  }

  private func message(to peer: String, _ content: Request.Content, at now: Instant) -> Message {
    let request = Request(term: state.term, sender: name, content: content)
    return Message(receiver: peer, request: request, sent: now)
  }
}
