/// An optimistic update gives up after four attempts; another task changes the value in each.
///
/// Source: Herlihy, Luchangco, Moir: *Obstruction-Free Synchronization* (ICDCS 2003).
@concurrent func retries() async throws {
  let value = Variable()
  try await withThrowingTaskGroup { group in
    group.addTask {
      for _ in 0..<4 {
        let old = await value.load()
        if await value.replace(old, by: old + 100) { return }
      }
      try check(false)
    }
    group.addTask { for _ in 0..<4 { await value.add(1) } }
    try await group.waitForAll()
  }
}
