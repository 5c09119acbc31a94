import CReach
import _EscapementCore

// Event loops, and other threads of a scope that wait for files. They do not wait in the kernel:
// the thread that drains the scope asks the kernel which of their files are ready.

extension Scope {
  /// How many jobs may run before the scope looks outside although more jobs are ready.
  private static let jobsBetweenPolls = 64

  /// Makes the threads ready whose files are ready; returns whether there are any.
  ///
  /// Called when nothing is ready: before time moves, and before the scope waits for other threads.
  @inline(__always) func pollFiles() -> Bool {
    // What other threads have made ready goes first, or a loop that never waits would keep it out.
    guard cvt_get(cvt_file_waits) != 0, state.withLock({ $0.hasEmptyInbox }) else { return false }
    rch_poll_files(number)
    return draining.ready.first != nil
  }

  /// Before time moves, waits for what is under way to a file, and makes the threads ready whose
  /// files are ready then; returns whether there are any.
  @inline(__always) func awaitDelivery() -> Bool {
    guard cvt_get(cvt_file_waits) != 0, state.withLock({ $0.mayMoveTime }) else { return false }
    return rch_await_delivery(number) && pollFiles()
  }

  /// Takes jobs of other threads now and then, and looks at files, for a task that yields until
  /// another thread or an event loop has done something.
  @inline(__always) func lookOutsideNowAndThen() {
    draining.jobsSincePoll += 1
    guard draining.jobsSincePoll >= Scope.jobsBetweenPolls else { return }
    draining.jobsSincePoll = 0
    for job in state.withLock({ $0.takeInbox() }) { takeIn(job) }
    if cvt_get(cvt_file_waits) != 0 { rch_poll_files(number) }
  }
}

// MARK: - The threads of the process

extension Scope {
  /// Takes the threads that serve the process, those of event loops and of a pool, if the options
  /// say so.
  func takeSharedThreads() {
    guard options.takesSharedEventLoops, reaches else { return }
    let lost = rch_take_shared_threads(number)
    if lost > 0 { report(.lostThreads(Int(lost))) }
  }
}

/// The event loops that serve the process, which one scope at a time may have.
enum SharedEventLoops {
  private struct State {
    var areTaken = false
    /// The scopes that want them, first come first served.
    var waiting: ArraySlice<UnsafeContinuation<Void, Never>> = []
  }

  private static let state = Lock(State())

  /// Returns when the caller has the loops.
  static func take(isolation: isolated (any Actor)? = #isolation) async {
    await withUnsafeContinuation { continuation in
      let areFree = state.withLock { state in
        if state.areTaken { state.waiting.append(continuation) }
        defer { state.areTaken = true }
        return !state.areTaken
      }
      if areFree { continuation.resume() }
    }
  }

  /// The next one has them.
  static func giveBack() {
    let next = state.withLock { state -> UnsafeContinuation<Void, Never>? in
      if state.waiting.isEmpty { state.areTaken = false }
      return state.waiting.popFirst()
    }
    next?.resume()
  }
}
