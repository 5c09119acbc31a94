/// The visits of tasks to actors in one run, each with the visit before it.
///
/// Two calls of one actor conflict: it may matter which one comes first. The engine sees no memory
/// that jobs share, but it sees each task that goes to an actor. A visit is named after its task
/// and its number among the visits of that task, which are the same under each schedule. A *pair*
/// is a visit, the one before it at the same actor, and the one that the task has found at its last
/// actor. So a pair is new where tasks meet in a new order, and also where they do so after
/// something unusual. Pairs at an actor of a single task do not matter.
struct ActorVisits {
  /// A fingerprint of a visit, or of a pair.
  typealias Name = UInt64

  /// The names of a visit, and of the pair that it makes.
  struct Names: Equatable {
    let visit: Name
    let pair: Name
  }

  /// A visit to an actor of several tasks.
  struct Shared: Equatable {
    let names: Names
    /// The name of its task.
    let task: Name
  }

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
    let visit: Name
    /// A fingerprint of the visit, and of what its task has found at its last actor.
    let name: Name
  }

  private struct Actor {
    /// The last visit.
    var last: Name = 0
    var visitor: Int?
    var hasSeveralVisitors = false
  }

  /// By the numbers of the tasks; first the code that is of no task.
  private var visitors = [Visitor(name: 0)]
  /// By their numbers; the first one is none.
  private var actors = [Actor()]
  /// By the numbers of the candidates; `nil` for one that goes to no actor.
  private var arrivals: [Arrival?] = []
  /// The task that runs, or 0.
  private var running = 0
  private var made: [(actor: Int, task: Int, names: Names)] = []

  /// A candidate has appeared.
  ///
  /// - Parameters:
  ///   - task: The number of its task, or 0. Tasks have numbers in the order in which they appear.
  ///   - actor: The number of the actor to which it goes, or 0. Actors have numbers in the order in
  ///     which tasks go to them.
  mutating func add(task: Int, actor: Int) {
    if task == visitors.count {
      visitors[running].childCount += 1
      let maker = visitors[running]
      visitors.append(Visitor(name: fingerprint(maker.name, maker.childCount)))
    }
    guard actor != 0 else { return arrivals.append(nil) }
    if actor == actors.count { actors.append(Actor()) }
    let visitor = visitors[task]
    let visit = fingerprint(visitor.name, visitor.visitCount)
    arrivals.append(
      Arrival(actor: actor, visit: visit, name: fingerprint(visit, visitor.found)))
  }

  /// The name of a task, by its number.
  func name(ofTask task: Int) -> Name { visitors[task].name }

  /// The visit that there is if a candidate is next; `nil` if it goes to no actor.
  func visit(of candidate: Explorer.Candidate) -> Name? { arrivals[candidate.number]?.visit }

  /// The visit and the pair that there are if a candidate is next; `nil` if it goes to no actor.
  @inline(__always) func names(of candidate: Explorer.Candidate) -> Names? {
    guard let arrival = arrivals[candidate.number] else { return nil }
    return Names(
      visit: arrival.visit, pair: fingerprint(arrival.name, actors[arrival.actor].last))
  }

  /// A candidate is next.
  mutating func runs(_ candidate: Explorer.Candidate) {
    running = candidate.task
    guard let arrival = arrivals[candidate.number], let names = names(of: candidate) else { return }
    made.append((arrival.actor, running, names))
    visitors[running].found = actors[arrival.actor].last
    visitors[running].visitCount += 1
    actors[arrival.actor].last = names.visit
    if let visitor = actors[arrival.actor].visitor, visitor != running {
      actors[arrival.actor].hasSeveralVisitors = true
    }
    actors[arrival.actor].visitor = running
  }

  /// The visits to actors with several visitors, with their pairs.
  var shared: [Shared] {
    made.lazy.filter { actors[$0.actor].hasSeveralVisitors }.map {
      Shared(names: $0.names, task: visitors[$0.task].name)
    }
  }

  @inline(__always) private func fingerprint(_ first: UInt64, _ second: UInt64) -> Name {
    var fingerprint = Fingerprint()
    fingerprint.mix(first)
    fingerprint.mix(second)
    return fingerprint.value
  }
}
