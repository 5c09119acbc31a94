import Dispatch
import _EscapementCore

/// The work of the main actor and of scopes on the main thread, first come first served.
///
/// The work is kept here, and the main thread is told of each piece. If a scope has to end without
/// the main thread, because a job does not give the thread back, another thread does what is left
/// and what comes. Else nothing of the main actor would run again, and the run of the tests would
/// not end.
enum MainQueue {
  typealias Work = @Sendable () -> Void

  private struct State {
    private var work: [Work] = []
    private var head = 0
    var queue = DispatchQueue.main
    /// Tells the code of new work that waits on the main thread, and does the work meanwhile.
    var pokeGuest: (() -> Void)?

    var count: Int { work.count - head }

    mutating func append(_ new: @escaping Work) {
      // Half of the memory at most is for work that has been done.
      if head > 16, head > work.count / 2 {
        work.removeFirst(head)
        head = 0
      }
      work.append(new)
    }

    mutating func popFirst() -> Work? {
      guard head < work.count else { return nil }
      defer {
        head += 1
        if head == work.count {
          work.removeAll(keepingCapacity: true)
          head = 0
        }
      }
      return work[head]
    }
  }

  private static let state = Lock(State())

  /// Lets the main thread do this.
  static func add(_ work: @escaping Work) {
    let queue: DispatchQueue? = state.withLock { state in
      state.append(work)
      guard let poke = state.pokeGuest else { return state.queue }
      // Under the lock, since what is poked is on the stack of a thread that goes on when it is
      // free.
      poke()
      return nil
    }
    queue?.async { doNext() }
  }

  /// Whether code waits on the main thread that is not the main actor's.
  ///
  /// Only for that thread.
  nonisolated(unsafe) private(set) static var hasGuest = false

  /// Does the work of the main thread on this thread, which is that one, until a wait is over.
  ///
  /// - Parameter wait: Waits. Returns `false` once for each poke.
  static func work(until wait: () -> Bool, poke: @escaping () -> Void) {
    hasGuest = true
    state.withLock { state in
      state.pokeGuest = poke
      for _ in 0..<state.count { poke() }
    }
    while !wait() {
      doNext()
      MainThreadVisit.stopLoop()
    }
    hasGuest = false
    let (queue, count) = state.withLock { state in
      state.pokeGuest = nil
      return (state.queue, state.count)
    }
    exempt { for _ in 0..<count { queue.async { doNext() } } }
  }

  private static func doNext() { state.withLock { $0.popFirst() }?() }

  /// The thread that does the work never comes back.
  static func loseThread() {
    let (queue, count) = state.withLock { state in
      state.queue = DispatchQueue(label: "main actor")
      state.pokeGuest = nil
      return (state.queue, state.count)
    }
    for _ in 0..<count { queue.async { doNext() } }
  }

  /// The thread has come back all the same.
  static func regainThread() { state.withLock { $0.queue = .main } }
}
