#if os(Linux)
  import TestSupport
  import Testing

  @testable import EscapementVirtualTime

  private struct Failure: Error {}

  /// The line of the call, in which there is code, unlike in one that has only a number.
  private func line(_ line: Int = #line) -> Int { line }

  @concurrent private func leaf() async -> Int {
    await Task.yield()
    return 1
  }

  @concurrent private func failingLeaf() async throws -> Int {
    await Task.yield()
    throw Failure()
  }

  @concurrent private func passing() async throws -> Int {
    try await Task.sleep(for: .seconds(1))
    return 1
  }

  private struct Chain {
    @concurrent func next() async -> Chain {
      await Task.yield()
      return self
    }

    @concurrent func value(_ number: Int) async -> Int { await leaf() }
  }

  private actor Other {
    private(set) var value = 0
    func add(_ number: Int) { value += number }
    func addLater(_ number: Int) async { value += await leaf() }
    func check() throws { if value < 0 { throw Failure() } }
  }

  /// Where a method may wait.
  private struct Lines {
    /// The line of its first statement, to which it comes when it enters its actor.
    let first: Int
    let awaits: ClosedRange<Int>

    init(_ first: Int, _ awaits: ClosedRange<Int>) {
      self.first = first
      self.awaits = first + awaits.lowerBound...first + awaits.upperBound
    }
  }

  /// An actor that waits in every way.
  private actor Waiting {
    private let other = Other()
    private var sum = 0

    private func use(_ number: Int) { sum += number }

    func value() async -> Lines {
      let first = line()
      let x = await leaf()
      use(x)
      return Lines(first, 1...1)
    }

    func statement() async -> Lines {
      let first = line()
      await Task.yield()
      use(1)
      return Lines(first, 1...1)
    }

    func throwing() async throws -> Lines {
      let first = line()
      let x = try await passing()
      use(x)
      return Lines(first, 1...1)
    }

    func caught() async -> Lines {
      let first = line()
      let x = (try? await failingLeaf()) ?? 2
      use(x)
      return Lines(first, 1...1)
    }

    func thrown() async -> Lines {
      let first = line()
      do { use(try await failingLeaf()) } catch {
        use(2)
      }
      return Lines(first, 1...1)
    }

    func actorProperty() async -> Lines {
      let first = line()
      let x = await other.value
      use(x)
      return Lines(first, 1...1)
    }

    func actorMethod() async -> Lines {
      let first = line()
      await other.add(1)
      use(1)
      return Lines(first, 1...1)
    }

    func asynchronousActorMethod() async -> Lines {
      let first = line()
      await other.addLater(1)
      use(1)
      return Lines(first, 1...1)
    }

    func throwingActorMethod() async throws -> Lines {
      let first = line()
      try await other.check()
      use(1)
      return Lines(first, 1...1)
    }

    func mainActor() async -> Lines {
      let first = line()
      let x = await MainActor.run { 1 }
      use(x)
      return Lines(first, 1...1)
    }

    func chain() async -> Lines {
      let first = line()
      let x = await Chain()
        .next()
        .value(
          2
        )
      use(x)
      return Lines(first, 1...5)
    }

    func asyncLet() async -> Lines {
      let first = line()
      async let x = leaf()
      use(await x)
      return Lines(first, 1...2)
    }

    func stream() async -> Lines {
      let first = line()
      let (stream, end) = AsyncStream.makeStream(of: Int.self)
      Task {
        end.yield(1)
        end.finish()
      }
      for await x in stream {
        use(x)
      }
      return Lines(first, 6...6)
    }

    func continuation() async -> Lines {
      let first = line()
      await withCheckedContinuation { continuation in
        Task { continuation.resume() }
      }
      use(1)
      return Lines(first, 1...3)
    }

    func sleep() async throws -> Lines {
      let first = line()
      try await Task.sleep(for: .seconds(1))
      use(1)
      return Lines(first, 1...1)
    }

    func failingSleep() async -> Lines {
      let first = line()
      let sleep = Task { try await Task.sleep(for: .seconds(1)) }
      sleep.cancel()
      let result = await sleep.result
      use((try? result.get()) == nil ? 1 : 2)
      return Lines(first, 3...3)
    }

    func group() async -> Lines {
      let first = line()
      let x = await withTaskGroup { group in
        group.addTask { await leaf() }
        return await group.next() ?? 0
      }
      use(x)
      return Lines(first, 1...4)
    }

    func condition() async -> Lines {
      let first = line()
      if await other.value == 0 {
        use(1)
      }
      return Lines(first, 1...1)
    }

    func loop() async -> Lines {
      let first = line()
      for _ in 0..<3 {
        use(1)
        await other.add(1)
        use(1)
      }
      return Lines(first, 3...3)
    }

    func two() async -> Lines {
      let first = line()
      use(await leaf() + (await other.value))
      return Lines(first, 1...1)
    }

    func branches() async -> Lines {
      let first = line()
      switch await leaf() {
      case 0: await other.add(1)
      case 1: await other.add(2)
      default: await other.add(3)
      }
      use(1)
      return Lines(first, 1...3)
    }

    func returned() async -> Lines {
      let first = line()
      let lines = { await Lines(first, Task { 2 }.value...2) }
      return await lines()
    }
  }

  /// A kind of `await`.
  private struct Await: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let run: @Sendable (Waiting) async throws -> Lines

    init(_ name: String, _ run: @escaping @Sendable (Waiting) async throws -> Lines) {
      testDescription = name
      self.run = run
    }

    static let all = [
      Await("value") { await $0.value() },
      Await("statement") { await $0.statement() },
      Await("throwing") { try await $0.throwing() },
      Await("caught") { await $0.caught() },
      Await("thrown") { await $0.thrown() },
      Await("actorProperty") { await $0.actorProperty() },
      Await("actorMethod") { await $0.actorMethod() },
      Await("asynchronousActorMethod") { await $0.asynchronousActorMethod() },
      Await("throwingActorMethod") { try await $0.throwingActorMethod() },
      Await("mainActor") { await $0.mainActor() },
      Await("chain") { await $0.chain() },
      Await("asyncLet") { await $0.asyncLet() },
      Await("stream") { await $0.stream() },
      Await("continuation") { await $0.continuation() },
      Await("sleep") { try await $0.sleep() },
      Await("failingSleep") { await $0.failingSleep() },
      Await("group") { await $0.group() },
      Await("condition") { await $0.condition() },
      Await("loop") { await $0.loop() },
      Await("two") { await $0.two() },
      Await("branches") { await $0.branches() },
      Await("returned") { await $0.returned() },
    ]
  }

  /// The line at which reports and timelines show a task that comes back from an `await`.
  @Suite(.virtualStandardClocks) struct AwaitPlaceTests {
    @Test(.withoutOptimisation, arguments: Await.all)
    fileprivate func `a task that comes back is at the line of the await`(_ kind: Await)
      async throws
    {
      let found = Log<Lines>()
      var steps: [String] = []
      for seed in UInt64(0)..<20 {
        let run = ExploredRun(.seed(seed, .random), recording: .steps, stallsAtOnce: false)
        try await withVirtualTime(VirtualTimeOptions().following(run)) { _ in
          // Another task that is ready as well, so that each turn is a decision.
          let rival = Task { for _ in 0..<20 { await Task.yield() } }
          found.append(try await kind.run(Waiting()))
          await rival.value
        }
        steps += run.outcome.trace.steps.map(\.description)
      }
      let lines = try #require(found.entries.first)
      // Closures may wait elsewhere.
      let named = steps.map { $0.replacing("closure in Waiting", with: "") }.flatMap { step in
        step.matches(of: #/Waiting\.\w+\(\) AwaitPlaceTests\.swift:(\d+)/#)
          .compactMap { Int($0.output.1) }
      }
      #expect(named.contains { lines.awaits ~= $0 }, "\(steps)")
      #expect(named.allSatisfy { lines.awaits ~= $0 || $0 == lines.first }, "\(steps)")
    }
  }
#endif
