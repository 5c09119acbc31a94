/// A program with a bug that shows only under few schedules, from the literature of concurrency.
struct Race: Sendable {
  let name: String
  let run: @concurrent @Sendable () async throws -> Void

  static let all: [Race] = [
    Race(name: "safe stack", run: safeStack),
    Race(name: "recycled stack", run: recycledStack),
    Race(name: "fibonacci", run: fibonacci),
    Race(name: "extreme counter", run: extremeCounter),
    Race(name: "double collect", run: doubleCollect),
    Race(name: "retries", run: retries),
    Race(name: "termination", run: termination),
    Race(name: "audit", run: audit),
    Race(name: "philosophers", run: philosophers),
    Race(name: "pipeline", run: pipeline),
  ]
}

/// Something that must not happen has happened.
private struct Wrong: Error {}

func check(_ condition: Bool) throws { if !condition { throw Wrong() } }

/// Runs a body in tasks with the numbers from 0, and waits until all have ended.
@concurrent func inParallel(
  _ count: Int, _ body: @escaping @Sendable @concurrent (Int) async throws -> Void
) async throws {
  try await withThrowingTaskGroup { group in
    for number in 0..<count { group.addTask { try await body(number) } }
    try await group.waitForAll()
  }
}
