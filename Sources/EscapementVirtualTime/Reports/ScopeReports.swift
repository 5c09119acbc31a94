import _EscapementCore

/// The findings of a scope, to be reported where it was started.
struct ScopeReports: ~Copyable, Sendable {
  /// The problems.
  let problems = Lock<[Problem]>([])
  /// Why the body was cancelled, in case it kills the process before that is reported.
  let lastWords = Lock<LastWords?>(nil)
  /// The things for which tasks wait, as far as a report can name them.
  let waits = Lock(NamedWaits())
  /// Where code of the scope was when it first used an event loop that the scope does not own.
  let loopUser = Lock<RunningPlace?>(nil)
}
