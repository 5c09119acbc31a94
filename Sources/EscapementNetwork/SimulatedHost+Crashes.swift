import CReach
import CVirtualTime
import IssueReporting

extension SimulatedHost {
  /// The host of code that was called has crashed.
  public struct Crash: Error, Hashable, CustomStringConvertible {
    /// The name of the host.
    public let host: String

    /// Makes the error of a call of the host with this name.
    public init(host: String) { self.host = host }

    /// Says which host has crashed.
    public var description: String { "The host '\(host)' has crashed." }
  }

  /// Whether the host has crashed, and has not been restarted.
  public var hasCrashed: Bool { rch_state_of_host(number) == cvt_life_has_ended }

  /// Whether the host is paused or suspended.
  public var isPaused: Bool { rch_state_of_host(number) == cvt_life_is_paused }

  /// Whether something runs on it that ``restart(fileID:filePath:line:column:)`` starts again.
  var hasServices: Bool { HostRecord.of(number)?.services.isEmpty == false }

  /// Ends the host in the middle of its work: none of its tasks, threads, blocks and timers runs
  /// any more.
  ///
  /// Its sockets are closed, as the kernel does when a process is killed: the bytes that it had sent
  /// arrive, then the end, or a reset if it had unread bytes. Later bytes of the other side are
  /// answered with a reset. A host that loses power tells nobody, and whoever waits for it goes on
  /// waiting. After its restart, it answers bytes over former connections with resets.
  ///
  /// Calls of ``perform(_:)`` throw a ``Crash``. Code of the host that calls this goes on until it
  /// suspends or waits. Code of the main actor that blocks the main thread does so, too. Objects of
  /// the host are never freed. Locks that it has while it waits stay locked, so do not share any with
  /// other hosts; whoever locks a `Mutex` of these ends the process.
  ///
  /// Only code in the time of the scope can do this: not inside of `hold`, nor on a thread outside.
  /// Does nothing if the host has crashed.
  ///
  /// - Parameter losesPower: Whether the machine stops, and not only the process.
  /// - Complexity: O(n), where n is the number of connections, files and timers of the network.
  public func crash(losingPower losesPower: Bool = false) {
    if rch_crash_host(number, losesPower) { HostRecord.of(number)?.failCalls() }
  }

  /// Starts the host again: a new life with the same name and addresses, in which its services
  /// begin from their beginnings.
  ///
  /// A host that runs crashes first. The hosts of a network have up to 65,535 lives together.
  ///
  /// - `fileID`, `filePath`, `line`, `column`: The place at which it is reported that there have been
  ///   so many; by default that of the caller.
  public func restart(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    crash()
    guard rch_restart_host(number) else {
      if hasCrashed {
        reportIssue(
          "The hosts of a network have up to 65,535 lives, and '\(name)' has none left.",
          fileID: fileID, filePath: filePath, line: line, column: column)
      }
      return
    }
    for start in HostRecord.of(number)?.services ?? [] { begin(start) }
  }

  /// Stops the host, as a long garbage collection or a stopped process does, until ``resume()``.
  ///
  /// Nothing of it runs, and time goes on. Connections are accepted and kept by the kernel, and what
  /// is sent to it waits. Timers that are due meanwhile fire when the host goes on. Code of the host
  /// that calls this goes on until it suspends or waits. A host that still stands when the scope
  /// ends is not cancelled: it ends as in a crash.
  ///
  /// Does nothing if the host is paused or suspended.
  public func pause() { rch_set_activity(number, rch_host_pauses) }

  /// Suspends the machine of the host, as closing a laptop does, until ``resume()``.
  ///
  /// That is a pause during which `SuspendingClock` stands, and all sleeps and timers but those of
  /// `ContinuousClock`: `usleep`, deadlines of Dispatch, timeouts of `poll`. A lease that is measured
  /// with them seems to be valid for longer than it is. On Linux, that goes for `NIODeadline` as well.
  ///
  /// A timer of the wall clock that was set before takes longer by as much. Does nothing if the host
  /// is paused or suspended.
  ///
  /// - Complexity: O(n), where n is the number of timers of the scope. The same goes for ``resume()``.
  public func suspend() { rch_set_activity(number, rch_host_sleeps) }

  /// Lets a host go on that is paused or suspended.
  public func resume() { rch_set_activity(number, rch_host_runs) }
}
