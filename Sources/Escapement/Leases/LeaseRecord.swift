/// A request of a replica to the store about a lease.
struct LeaseRequest: Hashable, Sendable {
  enum Action: Int64 {
    case acquire = 0
    /// Also notes that the run is done, before it begins.
    case acquireAndFinish = 1
    case renew = 2
    /// Also notes that the run is done, if there is one.
    case release = 3
  }

  let action: Action
  /// A number that no other holder has; positive.
  let owner: Int64
  /// In microseconds.
  var duration: Int64 = 0
  /// The instant of a scheduled run, in microseconds since 1970; 0 if there is none.
  var run: Int64 = 0

  var arguments: [Int64] { [action.rawValue, owner, duration, run] }
}

/// The answer of the store.
enum LeaseReply: Hashable, Sendable {
  /// Another replica holds the lease; it is free after this time, in microseconds.
  case refused(token: Int64, freeAfter: Int64)
  case granted(token: Int64)
  /// The run has been done.
  case done(token: Int64)

  init(_ numbers: [Int64], to request: LeaseRequest) throws(SharedStoreError) {
    switch (numbers.first, numbers.count) {
    case (0, 3) where numbers[1] >= 0 && numbers[2] >= 0:
      self = .refused(token: numbers[1], freeAfter: numbers[2])
    case (1, 3) where numbers[1] > 0: self = .granted(token: numbers[1])
    case (2, 3) where numbers[1] >= 0 && request.run > 0: self = .done(token: numbers[1])
    default: throw .unexpectedReply(numbers)
    }
  }

  var numbers: [Int64] {
    switch self {
    case .refused(let token, let time): [0, token, time]
    case .granted(let token): [1, token, 0]
    case .done(let token): [2, token, 0]
    }
  }
}

/// The record of a lease in a store: it decides as the script and the function do.
struct LeaseRecord: Hashable {
  private(set) var owner: Int64 = 0
  private(set) var token: Int64 = 0
  private var heldUntil: Int64 = 0
  private var duration: Int64 = 0
  private(set) var run: Int64 = 0

  /// Decides about a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The present instant, in microseconds.
  mutating func change(_ request: LeaseRequest, now: Int64) -> LeaseReply {
    // The clock may have been set back.
    heldUntil = min(heldUntil, now + duration)
    switch request.action {
    case .acquire, .acquireAndFinish:
      // The holder may have noted it itself, and not have got the reply.
      if request.run > 0, request.run <= run, owner != request.owner { return .done(token: token) }
      if heldUntil > now, owner != request.owner {
        return .refused(token: token, freeAfter: heldUntil - now)
      }
      owner = request.owner
      // Larger than all before, also if the store has lost the last ones.
      token = max(token + 1, now)
      (heldUntil, duration) = (now + request.duration, request.duration)
      if request.action == .acquireAndFinish { run = request.run }
      return .granted(token: token)
    case .renew, .release:
      guard owner == request.owner else {
        return .refused(token: token, freeAfter: max(0, heldUntil - now))
      }
      if request.action == .renew {
        (heldUntil, duration) = (now + request.duration, request.duration)
      } else {
        (owner, heldUntil, run) = (0, 0, max(run, request.run))
      }
      return .granted(token: token)
    }
  }
}

extension LeaseRecord {
  var numbers: [Int64] { [owner, token, heldUntil, duration, run] }

  /// Fails if the numbers are not those of a lease.
  init?(_ numbers: [Int64]) {
    guard numbers.count == 5, numbers.allSatisfy({ 0...(1 << 62) ~= $0 }) else { return nil }
    (owner, token, heldUntil) = (numbers[0], numbers[1], numbers[2])
    (duration, run) = (numbers[3], numbers[4])
  }
}
