extension ScopeState {
  /// What the thread that drains the scope has to do next.
  enum Step {
    case run([ReadyJob])
    case wake(SleepTimer)
    case resume(Driver, Driver.Outcome)
    case ask(@Sendable () -> Bool, Driver.ID)
    case askOutside([Outsider])
    case tooManyEvents
    case waitedTooLong(Park)
    case cancelLeftovers
    case park(Park)
  }
}
