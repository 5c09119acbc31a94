import EscapementVirtualTime

/// The ways to sleep in a scope.
enum KindOfSleep: CaseIterable, Sendable {
  case bare, byNanoseconds, continuous, suspending, handle

  func sleep(for duration: Duration, _ time: VirtualTime) async throws {
    switch self {
    case .bare:
      try await Task.sleep(for: duration)
    case .byNanoseconds:
      try await Task.sleep(
        nanoseconds: UInt64(clamping: max(.zero, duration).attoseconds / 1_000_000_000))
    case .continuous:
      try await Task.sleep(until: .now + duration, clock: .continuous)
    case .suspending:
      try await SuspendingClock().sleep(until: .now + duration)
    case .handle:
      try await time.sleep(for: duration)
    }
  }
}
