import CReach
import CVirtualTime

/// A warning that a scope gives once: its code has used something of the world outside.
enum Notice {
  case foreignLoop, loopOfOtherHost, sharedPool, foreignServer, sharedSession, child, host
}

extension Scope {
  /// Reports a problem, unless the notice has been given.
  private func report(once notice: Notice, _ problem: @autoclosure () -> Problem) {
    if draining.notices.insert(notice).inserted { report(problem()) }
  }

  /// This thread gives work to an event loop that the scope, or its host, does not own.
  func usesForeignLoop() {
    guard reports.loopUser.withLock({ $0 == nil }) else { return }
    let user = RunningPlace(of: cvt_thread_id(), isWaiting: true)
    reports.loopUser.withLock { $0 = user }
  }

  /// An event loop that the scope does not own has been given work.
  func meetsForeignLoop(isShared: Bool) {
    guard draining.notices.insert(.foreignLoop).inserted else { return }
    let problem = Problem.foreignEventLoop(
      at: now, isShared: isShared, mayBeTaken: !draining.notices.contains(.loopOfOtherHost),
      user: reports.loopUser.withLock { $0 }, body: bodyNumber)
    cancelBody(for: problem)
  }

  /// An event loop that a host has not made has been given work by it.
  func meetsLoopOfOtherHost() {
    let user = reports.loopUser.withLock { $0 }
    report(once: .loopOfOtherHost, .loopOfOtherHost(at: now, user: user, body: bodyNumber))
  }

  /// The thread pool that serves the process has been given work, and the scope does not have it.
  func meetsSharedPool() { report(once: .sharedPool, .sharedThreadPool(at: now)) }

  /// Code of the scope has connected to a server that does not belong to it, or code of no host to a
  /// host.
  func meets(_ server: rch_server, _ name: String) {
    if server == rch_server_of_host {
      report(once: .host, .hostFromOutside(at: now, name))
    } else {
      let isOfProcess = server == rch_server_of_process
      report(once: .foreignServer, .foreignServer(at: now, name, isOfProcess: isOfProcess))
    }
  }

  /// Code of the scope has used a `URLSession` that another scope uses at the same time.
  func sharesSession() { report(once: .sharedSession, .sharedSession(at: now)) }

  /// Looks whether a process that code of the scope has made runs while time moves.
  func lookForChildren() {
    if rch_forget_children(number) { report(once: .child, .childProcess(at: now)) }
  }
}
