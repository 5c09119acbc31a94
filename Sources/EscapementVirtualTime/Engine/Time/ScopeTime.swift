/// The time of a scope: sleepers, drivers that move it, and holds that make it stand.
struct ScopeTime {
  var now: Nanoseconds = 0
  /// How many deadlines have passed, and moves of time by hand been made.
  var events = 0
  /// How many there were when the limit was reached.
  var eventsAtLimit = 0
  var sleepers = Sleepers()
  var holds = Holds()
  var drivers = Drivers()
  /// External work, asked before time moves.
  var externalSources = ExternalSources()

  mutating func move(to instant: Nanoseconds) { now = max(now, instant) }

  /// Something that counts as an event happens.
  mutating func countEvent() {
    events += 1
    externalSources.somethingRuns()
  }

  /// The limit of events is reached; they are counted anew.
  mutating func reachEventLimit() { (eventsAtLimit, events) = (events, 0) }
}
