import EscapementTesting
import Testing

/// Expects that a body passes a plain run and fails under a schedule, that the schedule is small and fails
/// again, and that the body without the race passes under many schedules.
func expectRace(
  in racy: @escaping @Sendable () async throws -> Void,
  butNotIn fixed: @escaping @Sendable () async throws -> Void
) async throws {
  let options = VirtualTimeOptions(leftovers: .ignore)
  try await withVirtualTime(options) { _ in try await racy() }

  let found = try await withExploration(1_000, options: options) { _ in try await racy() }
  let failure = try #require(found.failure, "no schedule fails")
  #expect((1...5).contains(failure.schedule.overtakings.count), "\(failure.schedule)")

  await withKnownIssue {
    try await withVirtualTime(options, order: .schedule("\(failure.schedule)")) { _ in
      try await racy()
    }
  }
  let passed = try await withExploration(1_000, options: options) { _ in try await fixed() }
  #expect(passed.failure == nil, "\(String(describing: passed.failure))")
  #expect(passed.firstDifference == nil)
}

/// Something that must not happen.
struct Wrong: Error, CustomStringConvertible {
  let description: String
}

/// Throws an error if the condition does not hold.
func check(_ condition: Bool, _ description: @autoclosure () -> String) throws {
  if !condition { throw Wrong(description: description()) }
}
