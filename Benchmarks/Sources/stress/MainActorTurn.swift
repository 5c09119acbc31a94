import Synchronization

/// Somebody's turn on the main actor: no two overlap, in whatever scope they are.
enum MainActorTurn {
  private static let present = Atomic(0)

  /// Whether nobody else is here meanwhile.
  @MainActor static func isExclusive() -> Bool {
    present.add(1, ordering: .relaxed)
    defer { present.subtract(1, ordering: .relaxed) }
    return (0..<10_000).allSatisfy { _ in present.load(ordering: .relaxed) == 1 }
  }
}
