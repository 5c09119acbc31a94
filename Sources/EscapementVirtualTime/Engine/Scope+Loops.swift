import CReach

// Event loops, and other threads of a scope that wait for files. They do not wait in the kernel: the thread
// that drains the scope asks the kernel which of their files are ready.

extension Scope {
  /// How many jobs may run before files are looked at although more is ready.
  private static let jobsBetweenPolls = 64

  /// Makes the threads ready whose files are ready; returns whether there are any.
  ///
  /// Called when nothing is ready: before time moves, and before the scope waits for other threads.
  @inline(__always) func pollFiles() -> Bool {
    guard rch_any_waits_for_files() else { return false }
    rch_poll_files(number)
    return ready.first != nil
  }

  /// Looks at files now and then, for a task that yields until an event loop has done something.
  @inline(__always) func pollFilesNowAndThen() {
    guard rch_any_waits_for_files() else { return }
    jobsSincePoll += 1
    guard jobsSincePoll >= Scope.jobsBetweenPolls else { return }
    jobsSincePoll = 0
    rch_poll_files(number)
  }
}
