import Synchronization

/// A turn on the main actor, of which no two overlap, in one scope or in two.
enum MainActorTurn {
  private static let present = Atomic(0)

  /// Whether no other turn is under way.
  @MainActor static func isExclusive() -> Bool {
    present.add(1, ordering: .relaxed)
    defer { present.subtract(1, ordering: .relaxed) }
    return (0..<10_000).allSatisfy { _ in present.load(ordering: .relaxed) == 1 }
  }
}
