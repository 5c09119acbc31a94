import IssueReporting

extension Problem {
  /// Shared threads are inside code of scopes that were given up.
  static func lostThreads(_ count: Int) -> Problem {
    Problem(severity: .warning) { _ in
      """
      \(count == 1 ? "A thread" : "\(count) threads") that SwiftNIO shares in the process, of an event loop or \
      of 'NIOThreadPool.singleton', \(count == 1 ? "does" : "do") not run any more: code of an earlier \
      virtual-time scope blocks it, and that scope was given up. Work on a lost event loop is never done.

      Mend the earlier scope, which has reported where its code waits. Do not block the threads of event \
      loops: use a 'NIOThreadPool', or 'async' functions.
      """
    }
  }

  static func sharedThreadPool(at now: Nanoseconds) -> Problem {
    Problem(severity: .warning) { _ in
      """
      The virtual-time scope has used 'NIOThreadPool.singleton' at +\(now.duration), which SwiftNIO shares in \
      the process. Work in this pool takes real time, and time in the scope moves on meanwhile, so that \
      timeouts may expire at once.

      Let the scope have the pool: '.virtualTime(.sharedEventLoops)'. Or make a pool inside the scope, as \
      in 'NIOThreadPool(numberOfThreads: 1)', or wrap the work in 'hold { }'.
      """
    }
  }

  /// - Parameters:
  ///   - mayBeTaken: Whether the scope could have it, if it is shared.
  ///   - user: Where the scope's code used the loop, if that is known.
  ///   - body: The number of the body's task, if the body has not ended.
  static func foreignEventLoop(
    at now: Nanoseconds, isShared: Bool, mayBeTaken: Bool, user: RunningPlace?, body: UInt64?
  ) -> Problem {
    let remedy = " Or let the scope have the shared ones: '.virtualTime(.sharedEventLoops)'."
    let use = user.map { "\($0.subject(body: body)) used it\($0.description). " } ?? ""
    let origin =
      isShared
      ? "It is one that SwiftNIO shares in the process."
      : "It was made outside of this scope, for example in a 'static let' or in another test."
    return Problem(severity: .error) { body in
      """
      The virtual-time scope has used an event loop at +\(now.duration) that is not its own. \
      \(use)\(origin) It runs in real time, and time in the scope moves on meanwhile.

      Make the event loops inside the scope, as in \
      'MultiThreadedEventLoopGroup(numberOfThreads: 1)', and give them to servers and clients.\
      \(isShared && mayBeTaken ? remedy : "") \
      If the loop talks to another machine or process, wrap that work in 'hold { }'.

      \(body.outcome)
      """
    }
  }

  static func foreignServer(
    at now: Nanoseconds, _ address: String, isOfProcess: Bool
  ) -> Problem {
    let reason =
      isOfProcess
      ? "whose server was started outside the scope, as in 'setUp()'"
      : "which this process does not serve"
    return Problem(severity: .warning) { _ in
      """
      The virtual-time scope has connected to \(address) at +\(now.duration), \(reason). Time in the scope \
      moves on while an answer is under way, so that timeouts may expire at once.

      \(isOfProcess ? "Start the server inside the scope" : "Stub the request, run the server inside the scope"), \
      or wrap the work in 'hold { }'.
      """
    }
  }

  static func sharedSession(at now: Nanoseconds) -> Problem {
    Problem(severity: .error) { _ in
      """
      The virtual-time scope has used a URLSession at +\(now.duration) that another scope uses, too. All \
      requests of a session share their timer and their connections, which belong to the scope that has set \
      them up. So requests may time out too early, too late, or never.

      Make a session in each scope. Or use 'URLSession.shared', which each scope has for itself; a global \
      constant or a static property that keeps it is one session for all scopes.
      """
    }
  }

  static func hostFromOutside(at now: Nanoseconds, _ server: String) -> Problem {
    Problem(severity: .error) { _ in
      """
      Code of no host has connected to \(server) at +\(now.duration), and cannot reach it. The body of the test is \
      code of no host, and so is what it makes. Event loops that the process shares belong to no host.

      Make the client, and its event loops, inside 'host.perform { }', with a host that the network has for it.
      """
    }
  }

  static func loopOfOtherHost(
    at now: Nanoseconds, user: RunningPlace?, body: UInt64?
  ) -> Problem {
    let use = user.map { "\($0.subject(body: body)) used it\($0.description). " } ?? ""
    return Problem(severity: .warning) { _ in
      """
      A host of the simulated network has used an event loop at +\(now.duration) that it has not made. \(use)\
      What runs on such a loop is not code of this host: it goes on when the host crashes or is paused, its servers \
      may be out of reach, and its clients cannot connect to other hosts.

      Make event loops in 'host.run { }' or 'host.perform { }', as in \
      'MultiThreadedEventLoopGroup(numberOfThreads: 1)', and give them to servers and clients. \
      'MultiThreadedEventLoopGroup.singleton', which libraries use by default, serves the whole process.
      """
    }
  }

  static func childProcess(at now: Nanoseconds) -> Problem {
    Problem(severity: .warning) { _ in
      """
      The virtual-time scope has started a process, and time has moved to +\(now.duration) while the process \
      runs. It runs in real time, so that timeouts may expire at once.

      Wrap the code that starts the process and waits for it in 'hold { }': time stands meanwhile.
      """
    }
  }
}
