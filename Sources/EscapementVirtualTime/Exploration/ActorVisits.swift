/// The visits of tasks to actors in one run, each with the visit before it.
///
/// Two calls of one actor conflict: it may matter which one comes first. The engine sees no memory
/// that jobs share, but it sees each task that goes to an actor. A visit is named after its task
/// and its number among the visits of that task, which are the same under each schedule. A *pair*
/// is a visit, the one before it at the same actor, and the one that the task has found at its last
/// actor. So a pair is new where tasks meet in a new order, and also where they do so after
/// something unusual.
struct ActorVisits {
  /// A fingerprint of a visit, or of a pair.
  typealias Name = UInt64

  private struct Visitor {
    let name: Name
    var childCount: UInt64 = 0
    var visitCount: UInt64 = 0
    /// The visit that the task has found at its last actor.
    var found: Name = 0
  }

  /// A call of an actor that has not come there yet.
  private struct Arrival {
    let actor: Int
    /// A fingerprint of the call, and of what its task has found at its last actor.
    let name: Name
  }

  /// By the numbers of the tasks; first the code that is of no task.
  private var visitors = [Visitor(name: 0)]
  /// The numbers of the actors, by their addresses.
  private var actors: [UInt: Int] = [:]
  /// The last visits, by the numbers of the actors.
  private var last: [Name] = []
  /// By the numbers of the candidates; `nil` for one that goes to no actor.
  private var arrivals: [Arrival?] = []
  /// The task that runs, or 0.
  private var running = 0

  /// A candidate has appeared.
  ///
  /// - Parameters:
  ///   - task: The number of its task, or 0. Tasks have numbers in the order in which they appear.
  ///   - actor: The address of the actor to which it goes, or 0.
  mutating func add(task: Int, actor: UInt) {
    if task == visitors.count {
      visitors[running].childCount += 1
      let maker = visitors[running]
      visitors.append(Visitor(name: fingerprint(maker.name, maker.childCount)))
    }
    guard actor != 0 else { return arrivals.append(nil) }
    let number = actors[actor] ?? last.count
    if number == last.count {
      actors[actor] = number
      last.append(0)
    }
    let visitor = visitors[task]
    let call = fingerprint(visitor.name, visitor.visitCount)
    arrivals.append(Arrival(actor: number, name: fingerprint(call, visitor.found)))
  }

  /// The pair that there is if a candidate is next; `nil` if it goes to no actor.
  @inline(__always) func pair(of candidate: Explorer.Candidate) -> Name? {
    guard let arrival = arrivals[candidate.number] else { return nil }
    return fingerprint(arrival.name, last[arrival.actor])
  }

  /// A candidate is next; returns the pair, if it goes to an actor.
  mutating func runs(_ candidate: Explorer.Candidate) -> Name? {
    running = candidate.task
    guard let arrival = arrivals[candidate.number] else { return nil }
    let former = last[arrival.actor]
    let visitor = visitors[running]
    last[arrival.actor] = fingerprint(visitor.name, visitor.visitCount)
    visitors[running].found = former
    visitors[running].visitCount += 1
    return fingerprint(arrival.name, former)
  }

  @inline(__always) private func fingerprint(_ first: UInt64, _ second: UInt64) -> Name {
    var fingerprint = Fingerprint()
    fingerprint.mix(first)
    fingerprint.mix(second)
    return fingerprint.value
  }
}
