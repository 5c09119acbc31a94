import CVirtualTime

/// Which thread may run code of a scope: the one that has the baton.
struct Baton {
  /// Why a scope waits for other threads.
  enum Park: Equatable {
    /// A hold is open.
    case held
    /// A task of the scope runs on a thread that does not drain the scope, or is about to.
    case elsewhere
    /// Nothing of the scope can run.
    case stalled
  }

  enum Holder {
    /// A thread has been asked to take the baton.
    case handedOver
    /// A thread has it, with this number; `isCaller` if it is inside the call that began the scope.
    case taken(thread: Int32, isCaller: Bool)
    /// No thread has it; the scope waits.
    case parked(Park)
  }

  private(set) var holder = Holder.parked(.stalled)
  /// The thread's own record of the baton, with which it can be taken away.
  private(set) var ofThread: UnsafeMutablePointer<cvt_baton>?
  /// The number of hand-overs of the baton; identifies a wait.
  private(set) var handOvers = 0
  /// The thread that drains the scope, or drained it last.
  private(set) var drainer = Drainer.worker
  /// The thread of the caller, while it waits without the baton inside the call that began the
  /// scope.
  private(set) var waitingCaller: Int32?
  /// The threads that the scope has ended without, and whether the caller's is one of them.
  private(set) var lost: (threads: [Int32], withCaller: Bool) = ([], false)

  /// The thread that has it.
  var thread: Int32? { if case .taken(let thread, _) = holder { thread } else { nil } }

  /// Why the scope waits, and a number that tells this wait from others.
  var waiting: (reason: Park, count: Int)? {
    if case .parked(let reason) = holder { (reason, handOvers) } else { nil }
  }

  /// A thread is to take the baton; returns `false` if one has it or is about to.
  mutating func offer() -> Bool {
    guard case .parked = holder else { return false }
    holder = .handedOver
    handOvers += 1
    return true
  }

  /// The baton goes to a thread of this kind, by default to one of the kind that has it; returns
  /// which that is.
  mutating func handOver(to drainer: Drainer?) -> Drainer {
    holder = .handedOver
    if let drainer { self.drainer = drainer }
    return self.drainer
  }

  /// A thread takes the baton.
  ///
  /// - Parameter baton: The thread's own record of it; `nil` if it cannot be taken away.
  mutating func take(
    by drainer: Drainer, thread: Int32, isCaller: Bool, baton: UnsafeMutablePointer<cvt_baton>?
  ) {
    holder = .taken(thread: thread, isCaller: isCaller)
    ofThread = baton
    handOvers += 1
    self.drainer = drainer
    if isCaller { waitingCaller = nil }
  }

  /// The thread that has the baton is about to wait for another one to give it back.
  ///
  /// Returns its kind, and whether it is the caller's.
  mutating func beginWait() -> (drainer: Drainer, isCaller: Bool) {
    guard case .taken(let thread, let isCaller) = holder else { return (drainer, false) }
    // The main thread always comes back.
    if isCaller, drainer != .main { waitingCaller = thread }
    return (drainer, isCaller)
  }

  /// The baton is taken away from the thread that has it, and another one is to take it.
  mutating func takeAway() {
    holder = .handedOver
    handOvers += 1
  }

  /// The scope waits.
  mutating func park(_ reason: Park) {
    holder = .parked(reason)
    handOvers += 1
  }

  /// The scope ends.
  ///
  /// - Parameter withoutThread: Whether a job keeps the thread that has the baton.
  mutating func end(withoutThread: Bool) {
    if withoutThread, case .taken(let thread, let isCaller) = holder { lost = ([thread], isCaller) }
    // From now on the thread may end, and its memory with it.
    ofThread = nil
    // A caller that waits for what may never come goes on without its thread.
    if let thread = waitingCaller.take() {
      lost.threads.append(thread)
      lost.withCaller = true
    }
  }
}
