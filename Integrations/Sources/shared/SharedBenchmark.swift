import Escapement
import StoreClients

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Decisions of shared quotas, beside the simplest change of a number in the same store.
@main struct SharedBenchmark {
  /// The time of a call, and what it does.
  private struct Subject {
    let name: String
    let call: @Sendable () async throws -> Void
  }

  static func main() async throws {
    let environment = { (name: String) in getenv(name).map { String(cString: $0) } ?? "" }
    guard let redis = Int32(environment("ESCAPEMENT_REDIS_PORT")),
      let postgresql = Int32(environment("ESCAPEMENT_POSTGRESQL_PORT"))
    else {
      print("Run it with Scripts/integrations, which starts the servers.")
      exit(64)
    }
    let isQuick = CommandLine.arguments.contains("--quick")
    print("microseconds of a call; calls per second with 16 tasks; the best of 25 rounds each\n")
    try await compare(
      "Redis", try await redisSubjects(PooledStore(port: redis, connections: 8)),
      calls: isQuick ? 100 : 500)
    let connection = try PostgreSQLConnection(port: postgresql)
    for statement in PostgreSQLSchema.statements { try connection.execute(statement) }
    // As the rows of quotas are stored.
    try connection.execute(
      "CREATE TABLE counters (key text PRIMARY KEY, number bigint) WITH (fillfactor = 50)")
    try connection.execute("INSERT INTO counters VALUES ('counter', 0)")
    try await compare(
      "PostgreSQL", try await postgreSQLSubjects(PooledStore(port: postgresql, connections: 8)),
      calls: isQuick ? 50 : 250)
  }

  private static let quotas: [(String, Quota)] = [
    ("smooth bucket", .tokenBucket(capacity: 1_000_000, refill: 1_000_000, every: .seconds(1))),
    ("smooth bucket, denied", .tokenBucket(capacity: 1, refill: 1, every: .seconds(86_400))),
    ("sliding window", .slidingWindow(limit: 1_000_000, per: .seconds(1))),
  ]

  /// The command of each decision alone, and the limiter, which adds the timeout.
  private static func decisions(_ store: some SharedStore) async throws -> [Subject] {
    var subjects: [Subject] = []
    for (name, quota) in quotas {
      let (commands, continuation) = AsyncStream.makeStream(of: StoreCommand.self)
      _ = try await SharedQuotaLimiter(
        quota, name: name, store: Recorder(continuation: continuation)
      )
      .tryAcquire()
      let command = await commands.first { _ in true }!
      subjects.append(Subject(name: name) { _ = try await store.perform(command) })
    }
    let limiter = try SharedQuotaLimiter(
      quotas[0].1, name: "limiter", store: store, timeout: .seconds(10),
      onEvent: { if case .storeFailed(let error) = $1 { fatalError("\(error)") } })
    subjects.append(
      Subject(name: "smooth bucket, `SharedQuotaLimiter`") { _ = try await limiter.tryAcquire() })
    return subjects
  }

  /// A store that only tells what it is asked.
  private struct Recorder: SharedStore {
    let continuation: AsyncStream<StoreCommand>.Continuation

    func perform(_ command: StoreCommand) -> [Int64] {
      continuation.yield(command)
      return [1, 0]
    }
  }

  private static func redisSubjects(_ store: PooledStore<RedisConnection>) async throws -> [Subject]
  {
    [
      Subject(name: "INCR") {
        try await store.withConnection { _ = try $0.call(["INCR", "counter"]) }
      }
    ] + (try await decisions(store))
  }

  private static func postgreSQLSubjects(
    _ store: PooledStore<PostgreSQLConnection>
  ) async throws -> [Subject] {
    let update = "UPDATE counters SET number = number + 1 WHERE key = $1 RETURNING number"
    return [
      Subject(name: "UPDATE") {
        try await store.withConnection { _ = try $0.query(update, ["counter"]) }
      }
    ] + (try await decisions(store))
  }

  /// Measures all subjects once in each of many short rounds, and takes the best, which other programs on the
  /// machine have disturbed least.
  private static func compare(_ title: String, _ subjects: [Subject], calls: Int) async throws {
    var (latencies, rates): ([[Double]], [[Double]]) = (
      subjects.map { _ in [] }, subjects.map { _ in [] }
    )
    for _ in 0..<25 {
      for (index, subject) in subjects.enumerated() {
        latencies[index].append(try await latency(of: subject, calls))
        let tasks = 16
        let total = try await time {
          try await withThrowingTaskGroup { group in
            for _ in 0..<tasks {
              group.addTask { for _ in 0..<calls / 2 { try await subject.call() } }
            }
            try await group.waitForAll()
          }
        }
        rates[index].append(Double(tasks * (calls / 2)) / total)
      }
    }
    print("| \(title) | µs | beside | per second | beside |\n| --- | ---: | ---: | ---: | ---: |")
    let (time, rate) = (latencies[0].min()!, rates[0].max()!)
    for (index, subject) in subjects.enumerated() {
      let (ownTime, ownRate) = (latencies[index].min()!, rates[index].max()!)
      print(
        """
        | \(subject.name) | \(Int(ownTime)) | \(hundredths(ownTime / time)) \
        | \(Int(ownRate)) | \(hundredths(rate / ownRate)) |
        """)
    }
    print()
  }

  /// The microseconds of a call, one after the other.
  ///
  /// Not on the main actor, on which servers do not answer requests: each of its jobs goes through one more queue.
  @concurrent private static func latency(of subject: Subject, _ calls: Int) async throws -> Double
  {
    try await time { for _ in 0..<calls { try await subject.call() } } / Double(calls) * 1e6
  }

  private static func hundredths(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }

  private static func time(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .seconds(1)
  }
}
