/// The progress of the other members, as far as their leader knows.
struct Leadership {
  typealias Instant = ContinuousClock.Instant

  private struct Follower {
    /// How many entries it has on its disk.
    var matched = 0
    /// How many entries it has, as far as the leader guesses.
    var next: Int
    /// When the newest request was sent that it has answered.
    var answered: Instant?
  }

  private var followers: [String: Follower] = [:]
  /// How many entries the leader has on its own disk.
  private var saved = 0

  /// - Parameters:
  ///   - voters: Those of the peers that have voted for the leader.
  ///   - count: How many entries the leader has.
  ///   - start: When it has asked for votes.
  init(peers: [String], voters: Set<String>, count: Int, since start: Instant) {
    for peer in peers {
      followers[peer] = Follower(next: count, answered: voters.contains(peer) ? start : nil)
    }
  }

  /// How many others make a majority, together with the leader.
  private var enough: Int { (followers.count + 1) / 2 }

  /// Since when enough members have helped the leader.
  var leaseStart: Instant {
    followers.values.compactMap(\.answered).sorted(by: >)[enough - 1]
  }

  /// How many entries most members have on their disks.
  var agreed: Int { ([saved] + followers.values.map(\.matched)).sorted(by: >)[enough] }

  /// How many entries another member has, as far as the leader guesses.
  func next(of peer: String) -> Int { followers[peer]?.next ?? 0 }

  /// The leader has its first entries on its disk.
  mutating func save(_ count: Int) { saved = max(saved, count) }

  /// A member has taken over entries up to a count.
  mutating func accept(_ count: Int, from peer: String, sent: Instant) {
    answer(from: peer, sent: sent) { follower in
      follower.matched = max(follower.matched, count)
      follower.next = max(follower.next, count)
    }
  }

  /// A member has other entries than the leader has guessed, and fewer than a count.
  mutating func refuse(_ count: Int, from peer: String, sent: Instant) {
    answer(from: peer, sent: sent) { $0.next = min($0.next, count) }
  }

  private mutating func answer(
    from peer: String, sent: Instant, change: (inout Follower) -> Void
  ) {
    guard var follower = followers[peer] else { return }
    follower.answered = max(follower.answered ?? sent, sent)
    change(&follower)
    followers[peer] = follower
  }
}
