/// The order in which the jobs of a run ran, and the tasks and blocks whose jobs are to keep
/// it.
///
/// A decision point has other candidates as soon as an earlier decision differs. The name of a task
/// or block is the same under each schedule, so a few of them can keep the order of a run while all
/// others follow the plain order.
package struct JobOrder: Sendable, Hashable {
  /// A task, a block, or a thread between two waits: a fingerprint of the makers, and a number
  /// among what each has made.
  typealias Name = UInt64

  var jobs: [Name]
  /// What was drawn besides the usual, by the names of the draws.
  var draws: [Name: Int] = [:]
  var kept: Set<Name>

  /// Names what runs.
  struct Names {
    private var ofTasks: [Int: Name] = [:]
    /// By the numbers of the candidates.
    private var ofCandidates: [Name] = []
    private var counts: [Name: UInt64] = [:]
    private var running: Name = 0

    /// Something becomes ready, because of what runs.
    mutating func add(ofTask task: Int) {
      ofCandidates.append(ofTasks[task] ?? made(task, by: running))
    }

    private mutating func made(_ task: Int, by maker: Name) -> Name {
      counts[maker, default: 0] += 1
      var name = Fingerprint()
      name.mix(maker)
      name.mix(counts[maker]!)
      if task != 0 { ofTasks[task] = name.value }
      return name.value
    }

    /// Names a draw of what runs.
    ///
    /// Draws have numbers of their own.
    mutating func draws() -> Name { made(0, by: ~running) }

    subscript(candidate: Explorer.Candidate) -> Name { ofCandidates[candidate.number] }

    /// Returns the name of what runs from now on.
    mutating func runs(_ candidate: Explorer.Candidate) -> Name {
      running = self[candidate]
      return running
    }
  }

  /// Chooses what is next, and notes the choices as a schedule.
  struct Keeper {
    /// The jobs that are still to run, of those that keep their order.
    private var rest: ArraySlice<Name>
    private var counts: [Name: Int]
    private let draws: [Name: Int]
    /// Since which decision candidates wait, by their numbers.
    private var waiting: [Int: Int] = [:]
    private var kinds: [Int: ExecutionSchedule.Overtaking.Kind] = [:]

    init(_ order: JobOrder) {
      rest = order.jobs.filter(order.kept.contains)[...]
      counts = Dictionary(rest.lazy.map { ($0, 1) }, uniquingKeysWith: +)
      draws = order.draws.filter { order.kept.contains($0.key) }
    }

    /// The choices so far.
    var schedule: ExecutionSchedule {
      ExecutionSchedule(kinds.map { .init(decision: $0, kind: $1) })
    }

    private func mustWait(_ name: Name) -> Bool { rest.first != name && counts[name] != nil }

    /// The first candidate that need not wait for another one.
    mutating func choose(
      _ decision: Int, among candidates: [Explorer.Candidate], _ names: Names
    ) -> Int {
      let choice =
        candidates.firstIndex { !mustWait(names[$0]) }
        ?? rest.lazy.compactMap { name in candidates.firstIndex { names[$0] == name } }.first ?? 0
      if let start = waiting.removeValue(forKey: candidates[choice].number) {
        kinds[start] = .firstWaitsFor(decision - start)
      }
      let free = candidates.indices.filter { waiting[candidates[$0].number] == nil }
      let place = free.firstIndex(of: choice)!
      if place == 1, mustWait(names[candidates[free[0]]]) {
        waiting[candidates[free[0]].number] = decision
        kinds[decision] = .firstWaits
      } else if place > 0 {
        kinds[decision] = .runs(place)
      }
      return choice
    }

    /// What was drawn in the other run, or the usual.
    mutating func draw(_ decision: Int, _ name: Name) -> Int {
      guard let draw = draws[name] else { return 0 }
      kinds[decision] = .runs(draw)
      return draw
    }

    mutating func runs(_ name: Name) {
      guard let count = counts[name] else { return }
      counts[name] = count > 1 ? count - 1 : nil
      if rest.first == name {
        rest.removeFirst()
      } else {
        rest.remove(at: rest.firstIndex(of: name)!)
      }
    }
  }
}
