/// Two tasks add one to a counter three times each, in two steps; it can end at 2.
///
/// Source: M. Ben-Ari, A. Burns: *Extreme Interleavings* (IEEE Concurrency 6, 1998).
@concurrent func extremeCounter() async throws {
  let counter = Variable()
  try await inParallel(2) { _ in
    for _ in 0..<3 {
      let count = await counter.load()
      await counter.store(count + 1)
    }
  }
  try check(await counter.load() > 2)
}
