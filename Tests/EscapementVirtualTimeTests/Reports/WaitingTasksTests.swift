#if os(Linux)
  import EscapementVirtualTime
  import TestSupport
  import Testing

  private func leak() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  /// A task that is made later, and whose value others await.
  private actor Later {
    private var task: Task<Void, Never>?
    func set(_ task: Task<Void, Never>) { self.task = task }
    func value() async { await task?.value }
  }

  private struct Maker {
    func make() -> Task<Void, Never> { Task { await one() } }
    func one() async { await two() }
    func two() async { await three() }
    func three() async { await four() }
    func four() async { await five() }
    func five() async { await leak() }
  }

  /// What the report of a stuck scope says of the tasks that wait.
  @Suite(.virtualStandardClocks) struct WaitingTasksTests {
    /// The report of a scope whose body does not end.
    private func report(
      _ options: VirtualTimeOptions = .hanging(),
      _ body: @escaping @Sendable @concurrent (VirtualTime) async throws -> Void
    ) async -> String {
      let issues = await issues { _ = try? await withVirtualTime(options, body) }
      #expect(issues.count == 1)
      return issues.first?.message ?? ""
    }

    @Test(.withoutOptimisation) func `a task that waits for something else has its name`() async {
      let report = await report { _ in await Task(name: "loader") { await leak() }.value }
      #expect(report.contains("“loader”, which waits for a continuation"), "\(report)")
      #expect(report.contains(", for the value of task "), "\(report)")
    }

    @Test func `a name is shown in one line that is not too long`() async {
      let name = "two\nlines " + String(repeating: "x", count: 1_000)
      let report = await report { _ in await Task(name: name) { await leak() }.value }
      #expect(report.contains("“two lines xxx"), "\(report)")
      #expect(report.contains("xxx…”, which waits"), "\(report)")
      #expect(!report.contains(String(repeating: "x", count: 80)))
    }

    @Test(.withoutOptimisation) func `the children of a group are listed, and whose they are`()
      async
    {
      let report = await report { _ in
        await withTaskGroup { group in
          group.addTask(name: "one") { await leak() }
          group.addTask(name: "two") {
            await withTaskGroup { $0.addTask(name: "three") { await leak() } }
          }
        }
      }
      #expect(report.contains(", for its child tasks."), "\(report)")
      #expect(report.contains("“one”, a child of the body, which waits for a continuation"))
      #expect(report.contains("“two”, a child of the body, which waits for its child tasks"))
      #expect(report.contains("“three”, a child of task "))
    }

    @Test(.withoutOptimisation) func `the task of an 'async let' is listed`() async {
      let report = await report { _ in
        async let value: Void = leak()
        await value
      }
      #expect(report.contains(", a child of the body, which waits for a continuation"), "\(report)")
    }

    @Test func `a child that sleeps is listed once, and whose it is`() async {
      let report = await report(
        VirtualTimeOptions(mode: .manual, stallLimit: .milliseconds(20))
      ) { _ in
        try await withThrowingTaskGroup { group in
          group.addTask(name: "one") { try await Task.sleep(for: .seconds(1)) }
          try await group.waitForAll()
        }
      }
      #expect(report.contains("“one”, a child of the body, asleep since +0.0 seconds"), "\(report)")
      #expect(report.split(separator: "“one”").count == 2)
    }

    @Test func `the body is not listed among the others`() async {
      let report = await report(
        VirtualTimeOptions(mode: .manual, stallLimit: .milliseconds(20))
      ) { _ in try await Task.sleep(for: .seconds(1)) }
      #expect(report.contains(", asleep since +0.0 seconds until +1.0 seconds."), "\(report)")
      #expect(report.contains("No other task of the scope is known to be waiting."))
      #expect(report.contains("Time is moved by hand in this scope"))
    }

    @Test(.withoutOptimisation) func `what the body waits for stands before what observes`() async {
      let report = await report { _ in
        var observers: [AsyncStream<Int>.Continuation] = []
        for _ in 0..<20 {
          let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
          Task { for await _ in stream {} }
          observers.append(continuation)
        }
        let last = Task(name: "last") { await leak() }
        await Task(name: "first") { await last.value }.value
        withExtendedLifetime(observers) {}
      }
      let waiting = report.split(separator: "are waiting:\n").last ?? ""
      #expect(waiting.hasPrefix("  - task "))
      let lines = waiting.split(separator: "\n").filter { $0.hasPrefix("  - ") }
      #expect(lines.first?.contains("“first”, which waits for the value of task ") == true)
      #expect(lines.dropFirst().first?.contains("“last”, which waits for a cont") == true)
      #expect(
        lines.dropFirst(2).first?.contains("waits for the next element of a stream") == true,
        "\(waiting)")
      #expect(lines.last == "  - and 12 more")
    }

    @Test(.withoutOptimisation) func `a task that holds time is listed first, and says so`() async {
      let report = await report { time in
        for _ in 0..<20 { Task { await leak() } }
        Task(name: "holder") { await time.hold { await leak() } }
        try await Task.sleep(for: .seconds(1))
      }
      #expect(report.contains("is held at +0.0 seconds"), "\(report)")
      let tasks = report.split(separator: "\n").filter { $0.hasPrefix("  - ") }
      #expect(tasks.first?.contains("“holder”, inside 'hold { }', which waits for a cont") == true)
    }

    @Test(.withoutOptimisation) func `the outermost call tells where a task was made`() async {
      let report = await report { _ in await Maker().make().value }
      #expect(report.contains(" <- … <- closure in Maker.make()"), "\(report)")
    }

    @Test(.withoutOptimisation) func `a task that never began is shown with its closure`() async {
      let executor = ForgetfulActor()
      let report = await report { _ in await Task { await executor.work() }.value }
      #expect(report.contains("    in closure in "), "\(report)")
    }

    @Test func `a child that waits for its parent is a deadlock`() async {
      let report = await report { _ in
        let later = Later()
        let parent = Task<Void, Never>(name: "parent") {
          await withTaskGroup { $0.addTask(name: "child") { await later.value() } }
        }
        await later.set(parent)
        await parent.value
      }
      #expect(report.contains("is deadlocked at +0.0 seconds"), "\(report)")
      #expect(report.contains("“parent”, which waits for its child task "), "\(report)")
      #expect(report.contains("“child”, which waits for the value of task "), "\(report)")
    }

    @Test func `a group of which another child may go on is no deadlock`() async throws {
      try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { _ in
        let later = Later()
        let parent = Task<Void, Never> {
          await withTaskGroup { group in
            group.addTask { try? await Task.sleep(for: .seconds(1)) }
            group.addTask { await later.value() }
            await group.next()
            await later.set(Task {})
          }
        }
        await later.set(parent)
        try await Task.sleep(for: .seconds(2))
      }
    }

    @Test func `a circle that the body does not wait for is named`() async {
      let report = await report { _ in
        let (one, two) = (Later(), Later())
        await one.set(Task(name: "one") { await two.value() })
        await two.set(Task(name: "two") { await one.value() })
        await leak()
      }
      #expect(report.contains("is stuck at +0.0 seconds"), "\(report)")
      #expect(report.contains("These tasks wait for each other, so that none of them ever ends:"))
      #expect(report.contains("“one”, which waits for the value of task "), "\(report)")
    }
  }

  private final class ForgetfulExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {}
  }

  private actor ForgetfulActor {
    private let executor = ForgetfulExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    func work() {}
  }
#endif
