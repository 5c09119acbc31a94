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
}
