/// A task reads two variables twice, and takes equal values for a snapshot, although they were
/// never there at one time.
///
/// Source: Afek and others: *Atomic Snapshots of Shared Memory* (Journal of the ACM 40, 1993).
@concurrent func doubleCollect() async throws {
  let (first, second) = (Variable(), Variable())
  try await withThrowingTaskGroup { group in
    group.addTask {
      for _ in 0..<2 {
        await first.store(1)
        await second.store(1)
        await second.store(0)
        await first.store(0)
      }
    }
    group.addTask {
      let former = (await first.load(), await second.load())
      let latter = (await first.load(), await second.load())
      // The second variable is 1 only while the first one is.
      if former == latter { try check(former != (0, 1)) }
    }
    try await group.waitForAll()
  }
}
