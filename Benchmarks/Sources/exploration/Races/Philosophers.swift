/// Seven philosophers take the left fork and then the right one; if all have the left one, all
/// wait.
///
/// Source: E. Dijkstra: *Hierarchical Ordering of Sequential Processes* (1971); in SCTBench as
/// `CS/din_phil7_sat`.
@concurrent func philosophers() async throws {
  let forks = (0..<7).map { _ in Fork() }
  try await inParallel(7) { seat in
    let (left, right) = (forks[seat], forks[(seat + 1) % 7])
    await left.take()
    await right.take()
    await right.putBack()
    await left.putBack()
  }
}

private actor Fork {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func take() async {
    if isTaken { await withCheckedContinuation { waiting.append($0) } }
    isTaken = true
  }

  /// Gives the fork to the first one that waits for it.
  func putBack() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
