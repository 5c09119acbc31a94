import _EscapementCore

/// What a scope has found, to be reported where it was started.
struct ScopeReports: ~Copyable, Sendable {
  /// What went wrong.
  let problems = Lock<[Problem]>([])
  /// Why the body was cancelled, in case it kills the process before that is reported.
  let lastWords = Lock<LastWords?>(nil)
  /// What tasks wait for, as far as a report can name it.
  let waits = Lock(NamedWaits())
  /// Where code of the scope was when it first used an event loop that the scope does not own.
  let loopUser = Lock<RunningPlace?>(nil)
}
