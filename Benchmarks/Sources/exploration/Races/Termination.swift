/// Work moves between four nodes, and a task asks each of them twice whether it is at rest; the
/// work is always at another node.
///
/// Source: the problem of Dijkstra, Feijen, van Gasteren: *Derivation of a Termination Detection
/// Algorithm for Distributed Computations* (EWD 840, 1983), without the colours of its solution.
@concurrent func termination() async throws {
  let isActive = (0..<4).map { Variable($0 == 3 ? 1 : 0) }
  let hasEnded = Variable()
  try await withThrowingTaskGroup { group in
    group.addTask {
      var place = 3
      for next in [0, 3, 1, 3] {
        await isActive[next].store(1)
        await isActive[place].store(0)
        place = next
      }
      try check(await hasEnded.load() == 0)
      await isActive[place].store(0)
    }
    group.addTask {
      for node in isActive + isActive { if await node.load() == 1 { return } }
      await hasEnded.store(1)
    }
    try await group.waitForAll()
  }
}
