import IssueReporting

extension Problem {
  /// Threads of shared event loops are inside code of scopes that were given up.
  static func lostEventLoops(_ count: Int) -> Problem {
    Problem(severity: .warning) { _ in
      """
      \(count == 1 ? "An event loop" : "\(count) event loops") that SwiftNIO shares in the process \
      \(count == 1 ? "does" : "do") not run any more: code of an earlier virtual-time scope blocks the \
      thread, and that scope was given up. Work on such a loop is never done.

      Mend the earlier scope, which has reported where its code waits. Do not block the threads of event \
      loops: use a 'NIOThreadPool', or 'async' functions.
      """
    }
  }
}
