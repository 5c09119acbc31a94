import EscapementClocks

/// The tasks that wait for sleeps of a scope to begin, and the recordings of sleeps.
struct SleepObservers {
  typealias Sleep = SleepingTask<VirtualTime.Instant>

  /// Which sleeps a task waits for; `nil` stands for any.
  struct Filter: Equatable {
    var clock: SleepClock?
    var taskName: String?
    var duration: Duration?

    func matches(_ sleep: Sleep) -> Bool {
      (clock == nil || clock == sleep.clock)
        && (taskName == nil || taskName == sleep.taskName)
        && (duration == nil || duration == sleep.duration)
    }
  }

  typealias ID = UInt64

  private struct Trap {
    let id: ID
    let filter: Filter
    let continuation: UnsafeContinuation<Sleep?, Never>
  }

  private var traps: [Trap] = []
  private var recordings: [ID: [Sleep]] = [:]
  private var nextID: ID = 0

  /// Whether sleeps need not be noted.
  var isEmpty: Bool { traps.isEmpty && recordings.isEmpty }

  /// A sleep begins.
  ///
  /// Returns the continuations to be resumed, and with what.
  mutating func note(_ sleep: Sleep) -> [(UnsafeContinuation<Sleep?, Never>, Sleep)] {
    for id in recordings.keys { recordings[id]?.append(sleep) }
    let caught = traps.filter { $0.filter.matches(sleep) }
    if !caught.isEmpty { traps.removeAll { $0.filter.matches(sleep) } }
    return caught.map { ($0.continuation, sleep) }
  }

  /// A number for a new observer.
  mutating func next() -> ID {
    nextID += 1
    return nextID
  }

  mutating func set(
    _ id: ID, for filter: Filter, _ continuation: UnsafeContinuation<Sleep?, Never>
  ) {
    traps.append(Trap(id: id, filter: filter, continuation: continuation))
  }

  /// Takes out a trap that has not caught a sleep.
  mutating func remove(_ id: ID) -> UnsafeContinuation<Sleep?, Never>? {
    traps.firstIndex { $0.id == id }.map { traps.remove(at: $0).continuation }
  }

  mutating func startRecording(_ id: ID) { recordings[id] = [] }

  mutating func stopRecording(_ id: ID) -> [Sleep] { recordings.removeValue(forKey: id) ?? [] }
}
