/// The knowledge of a replica about its lease.
///
/// Instants are nanoseconds of the replica's own clock. The replica counts the duration from the
/// instant at which it *sent* the request, and the store counts it from a later one. So the replica
/// believes to hold the lease for at most as long as it does, if both clocks run equally fast.
struct LeaseStateMachine: Hashable {
  private enum State: Hashable {
    case absent(askAt: Int64)
    case asking(sentAt: Int64)
    case holding(token: Int64, until: Int64, renewAt: Int64)
    case renewing(token: Int64, until: Int64, sentAt: Int64)
    case lost
    case done
  }

  private var state: State
  private let duration: Int64
  private let retryInterval: Int64

  init(duration: Int64, retryInterval: Int64, now: Int64) {
    (self.duration, self.retryInterval) = (duration, retryInterval)
    state = .absent(askAt: now)
  }

  /// The next action of the replica.
  enum Step: Hashable {
    case wait(until: Int64)
    /// Sends a request to acquire the lease, and waits for the reply until the instant.
    case acquire(waitingUntil: Int64)
    /// Sends a request to renew the lease, and waits for the reply until the instant.
    case renew(waitingUntil: Int64)
    /// A reply is under way.
    case awaitReply(until: Int64)
    case lost
    /// Another replica has done the run.
    case done
  }

  /// The token with which the replica holds the lease now.
  func token(at now: Int64) -> Int64? {
    switch state {
    case .holding(let token, let until, _) where now < until: token
    case .renewing(let token, let until, _) where now < until: token
    default: nil
    }
  }

  mutating func next(now: Int64) -> Step {
    switch state {
    case .absent(let askAt):
      guard now >= askAt else { return .wait(until: askAt) }
      state = .asking(sentAt: now)
      return .acquire(waitingUntil: now + duration)
    case .asking(let sentAt):
      return .awaitReply(until: sentAt + duration)
    case .holding(_, let until, _) where now >= until,
      .renewing(_, let until, _) where now >= until:
      state = .lost
      return .lost
    case .holding(let token, let until, let renewAt):
      guard now >= renewAt else { return .wait(until: min(renewAt, until)) }
      state = .renewing(token: token, until: until, sentAt: now)
      return .renew(waitingUntil: until)
    case .renewing(_, let until, _):
      return .awaitReply(until: until)
    case .lost:
      return .lost
    case .done:
      return .done
    }
  }

  /// The store has replied to the last request.
  mutating func received(_ reply: LeaseReply, now: Int64) {
    switch (state, reply) {
    case (.asking(let sentAt), .granted(let token)),
      (.renewing(_, _, let sentAt), .granted(let token)):
      // A third of the duration leaves time for two more attempts.
      state = .holding(token: token, until: sentAt + duration, renewAt: sentAt + duration / 3)
    case (.asking, .refused(_, let freeAfter)):
      let (nanoseconds, overflow) = freeAfter.multipliedReportingOverflow(by: 1_000)
      state = .absent(askAt: now + max(1, min(overflow ? .max : nanoseconds, retryInterval)))
    case (.asking, .done):
      state = .done
    case (.renewing, _):
      state = .lost
    case (.absent, _), (.holding, _), (.lost, _), (.done, _):
      // The replica has not waited for this reply.
      break
    }
  }

  /// There was no reply to the last request.
  ///
  /// It is not known whether the store has got the request. The same owner may ask again.
  mutating func failed(now: Int64) {
    switch state {
    case .asking:
      state = .absent(askAt: now + retryInterval)
    case .renewing(let token, let until, _):
      state = .holding(token: token, until: until, renewAt: now + min(retryInterval, duration / 6))
    case .absent, .holding, .lost, .done:
      break
    }
  }
}
