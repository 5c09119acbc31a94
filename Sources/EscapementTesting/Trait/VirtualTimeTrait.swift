#if canImport(Testing)
  import IssueReporting
  import _EscapementCore
  public import EscapementVirtualTime
  public import Testing

  /// A trait that runs tests in virtual time.
  ///
  /// ```swift
  /// @Test(.virtualTime) func aDayPasses() async throws {
  ///   let start = Date()
  ///   try await Task.sleep(for: .seconds(86_400))  // takes no real time
  ///   #expect(Date().timeIntervalSince(start) == 86_400)
  /// }
  /// ```
  ///
  /// Every test, and every case of a parameterised test, runs in its own scope. Tests run in
  /// parallel as they do without the trait. `VirtualTime.current` is the handle of the scope.
  public struct VirtualTimeTrait: TestTrait, SuiteTrait, TestScoping {
    private final class Identity: Sendable {}

    /// In what order the jobs of a test run.
    enum Order: Sendable {
      case plain
      case exploring(Int, ExplorationOptions)
      case seed(UInt64, ExplorationStrategy)
      case schedule(String)
    }

    /// The options of the scopes.
    public let options: VirtualTimeOptions

    private let order: Order
    /// Where problems are reported, if not at the test.
    private let location: _EscapementCore.SourceLocation?
    private let identity = Identity()
    /// The trait that runs the current test: one value may stand at several places around it.
    @TaskLocal private static var provider: Identity?

    init(
      _ options: VirtualTimeOptions, _ order: Order = .plain,
      at location: _EscapementCore.SourceLocation?
    ) {
      self.options = options
      self.order = order
      self.location = location
    }

    /// Always `true`: a suite passes the trait on to its tests.
    public var isRecursive: Bool { true }

    /// Runs a test case in a scope.
    ///
    /// If both a test and its suite have the trait, the test runs in one scope, with the options of
    /// its own trait. One value of the trait may stand at several places, as a constant of a
    /// project does.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      let nearest = test.traits.last { $0 is VirtualTimeTrait } as? VirtualTimeTrait
      guard testCase != nil, nearest?.identity === identity, Self.provider !== identity else {
        return try await function()
      }
      try await Self.$provider.withValue(identity) {
        try await provideScope(for: test, testCase, performing: function)
      }
    }

    private func provideScope(
      for test: Test, _ testCase: Test.Case?,
      performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      do {
        switch try plan() {
        case .single(let source):
          try await withTimeline(options, test, testCase) { options in
            try await withVirtualTime(options, source, reporting: reporter(for: test), function)
          }
        case .explore(let seedCount):
          try await explore(seedCount, test, testCase, function)
        }
      } catch VirtualTimeError.limitReached, VirtualTimeError.bodyGivenUp {
        // The scope has reported the reason as an issue.
      }
    }

    /// The plan for a test, by the trait and by the environment.
    private func plan() throws -> ExploredTest.Plan {
      #if os(Linux)
        CrashReplay.limitTime()
      #endif
      return switch order {
      case .plain: try .single(nil).following()
      case .exploring(let seedCount, _): try .explore(seedCount).following()
      case .seed(let seed, let strategy): .single(.seed(seed, strategy))
      case .schedule(let text): .single(.schedule(try ExecutionSchedule(parsing: text)))
      }
    }

    private func explore(
      _ seedCount: Int, _ test: Test, _ testCase: Test.Case?,
      _ function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      let reporter = reporter(for: test)
      try await withoutActuallyEscaping(function) { function in
        func explored(
          _ run: @escaping @Sendable (VirtualTimeOptions) async throws -> Void
        ) -> ExploredTest {
          ExploredTest(
            name: test.nameInFiles, options: options, exploring: explorationOptions,
            reporting: reporter,
            in: test.sourceLocation.filePath,
            filter: SwiftTestingFailureFilter(test: test, testCase: testCase),
            replayer: replayer(of: test.nameInFiles), perform: run)
        }
        let run: @Sendable (VirtualTimeOptions) async throws -> Void = { options in
          // What fails in a run belongs to the run, also if the trait '.doubles' is outside of this
          // one.
          guard DoublesScope.current != nil else {
            return try await withVirtualTime(options, nil, reporting: reporter, function)
          }
          try await withDoubles {
            try await withVirtualTime(options, nil, reporting: reporter, function)
          }
        }
        // Of all runs, only the one that is reported shows its timeline.
        let report = try await TraceFolder.$current.withValue(nil) {
          try await explored(run).explore(seedCount)
        }
        guard let failure = report.failure else {
          // A test that has not asked for it may share what it wants with others.
          if case .exploring = order { explored(run).warn(of: report) }
          return
        }
        do {
          try await explored { try await withTimeline($0, test, testCase, run) }
            .replay(failure, of: report)
        } catch let error as ExploredTest.ReportedError {
          guard let summary = error.summary else { throw error.underlying }
          if error.underlying is VirtualTimeError { return reporter.report(summary) }
          Issue.record(
            error.underlying, Comment(rawValue: summary), sourceLocation: test.sourceLocation)
        }
      }
    }

    private var explorationOptions: ExplorationOptions {
      if case .exploring(_, let options) = order { options } else { ExplorationOptions() }
    }

    private func replayer(of name: String) -> (any CrashReplaying)? {
      #if os(Linux)
        CrashReplay(test: name)
      #else
        nil
      #endif
    }
  }

  extension Test {
    /// The name of the test in files, which does not depend on the line of the test.
    var nameInFiles: String {
      // The last part of an identifier is the place of the test: File.swift:12:2.
      let parts = "\(id)".split(separator: "/", omittingEmptySubsequences: false)
      let isPlace = parts.last?.contains(".swift:") == true
      return parts.dropLast(isPlace ? 1 : 0).joined(separator: "/")
    }
  }

  extension VirtualTimeTrait {
    private func reporter(for test: Test) -> ProblemReporter {
      if let location { return ProblemReporter(at: location) }
      return ProblemReporter(name: test.nameInFiles) { message, severity in
        Issue.record(
          Comment(rawValue: message), severity: severity == .warning ? .warning : .error,
          sourceLocation: test.sourceLocation)
      }
    }
  }

  /// A place in the source code, if its file and line are given.
  private func sourceLocation(
    _ fileID: StaticString?, _ filePath: StaticString?, _ line: UInt?, _ column: UInt?
  ) -> _EscapementCore.SourceLocation? {
    guard let fileID, let filePath, let line else { return nil }
    return _EscapementCore.SourceLocation(
      fileID: fileID, filePath: filePath, line: line, column: column ?? 1)
  }

  extension Trait where Self == VirtualTimeTrait {
    /// Runs the test, or all tests of the suite, in virtual time.
    ///
    /// Issues of the scope are attributed to the line of the test.
    public static var virtualTime: Self { Self(VirtualTimeOptions(), at: nil) }

    /// Runs the test, or all tests of the suite, in virtual time.
    ///
    /// ```swift
    /// @Test(.virtualTime(.manual)) func …
    /// ```
    ///
    /// - `options`: The options of the scopes.
    /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are
    ///   attributed; by default that of the test.
    public static func virtualTime(
      _ options: VirtualTimeOptions,
      fileID: StaticString? = nil, filePath: StaticString? = nil, line: UInt? = nil,
      column: UInt? = nil
    ) -> Self {
      VirtualTimeTrait(
        options,
        at: sourceLocation(fileID, filePath, line, column))
    }

    /// Runs the test, or all tests of the suite, in virtual time.
    ///
    /// ```swift
    /// @Test(.virtualTime(leftovers: .fail)) func …
    /// ```
    ///
    /// The parameters are the options of the scopes, which `VirtualTimeOptions` describes.
    public static func virtualTime(
      mode: VirtualTimeOptions.Mode = .automatic,
      wallClockStart: Duration = VirtualTimeOptions().wallClockStart,
      standardClocks: VirtualTimeOptions.StandardClocks = .virtual,
      leftovers: VirtualTimeOptions.Leftovers = .warn,
      stallLimit: Duration = VirtualTimeOptions().stallLimit,
      holdLimit: Duration = VirtualTimeOptions().holdLimit,
      blockLimit: Duration = VirtualTimeOptions().blockLimit,
      jobLimit: Int = VirtualTimeOptions().jobLimit,
      eventLimit: Int = VirtualTimeOptions().eventLimit,
      fileID: StaticString? = nil, filePath: StaticString? = nil, line: UInt? = nil,
      column: UInt? = nil
    ) -> Self {
      .virtualTime(
        VirtualTimeOptions(
          mode: mode, wallClockStart: wallClockStart, standardClocks: standardClocks,
          leftovers: leftovers, stallLimit: stallLimit, holdLimit: holdLimit,
          blockLimit: blockLimit, jobLimit: jobLimit, eventLimit: eventLimit),
        fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Runs the test, or all tests of the suite, in virtual time, from a date on.
    ///
    /// ```swift
    /// @Test(.virtualTime(wallClockStart: Date(timeIntervalSince1970: 1_735_689_599))) func …
    /// ```
    ///
    /// The parameters are the options of the scopes, which `VirtualTimeOptions` describes.
    public static func virtualTime(
      mode: VirtualTimeOptions.Mode = .automatic,
      wallClockStart: some WallClockInstant,
      standardClocks: VirtualTimeOptions.StandardClocks = .virtual,
      leftovers: VirtualTimeOptions.Leftovers = .warn,
      stallLimit: Duration = VirtualTimeOptions().stallLimit,
      holdLimit: Duration = VirtualTimeOptions().holdLimit,
      blockLimit: Duration = VirtualTimeOptions().blockLimit,
      jobLimit: Int = VirtualTimeOptions().jobLimit,
      eventLimit: Int = VirtualTimeOptions().eventLimit,
      fileID: StaticString? = nil, filePath: StaticString? = nil, line: UInt? = nil,
      column: UInt? = nil
    ) -> Self {
      .virtualTime(
        mode: mode, wallClockStart: wallClockStart.durationSince1970,
        standardClocks: standardClocks, leftovers: leftovers, stallLimit: stallLimit,
        holdLimit: holdLimit, blockLimit: blockLimit, jobLimit: jobLimit, eventLimit: eventLimit,
        fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Runs the test, or each test of the suite, in virtual time under many schedules, until it
    /// fails under one.
    ///
    /// ```swift
    /// @Test(.virtualTime(exploring: 1_000))
    /// func twoCallersMakeOneRequest() async { ... }
    /// ```
    ///
    /// The test runs in the plain order at first, and then once for each seed, each time in a new
    /// instance of its suite. The first schedule that fails ends the search. It is made as small as
    /// possible, and the test runs under it once more: that is the failure that is reported, with
    /// the schedule in a comment. A test that passes reports nothing.
    ///
    /// - `seedCount`: How many seeds to try, 0 or more.
    /// - `options`: The options of the scopes.
    /// - `exploration`: How the schedules are explored.
    /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are
    ///   attributed; by default that of the test.
    public static func virtualTime(
      exploring seedCount: Int,
      _ options: VirtualTimeOptions = VirtualTimeOptions(),
      exploration: ExplorationOptions = ExplorationOptions(),
      fileID: StaticString? = nil, filePath: StaticString? = nil, line: UInt? = nil,
      column: UInt? = nil
    ) -> Self {
      VirtualTimeTrait(
        options, .exploring(seedCount, exploration),
        at: sourceLocation(fileID, filePath, line, column))
    }

    /// Runs the test, or each test of the suite, in virtual time under the schedule of a seed.
    ///
    /// - `seed`: The seed, as a report of an exploration names it.
    /// - `strategy`: How the schedule is drawn.
    /// - `options`: The options of the scopes.
    /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are
    ///   attributed; by default that of the test.
    public static func virtualTime(
      seed: UInt64,
      strategy: ExplorationStrategy = .byTurns,
      _ options: VirtualTimeOptions = VirtualTimeOptions(),
      fileID: StaticString? = nil, filePath: StaticString? = nil, line: UInt? = nil,
      column: UInt? = nil
    ) -> Self {
      VirtualTimeTrait(
        options, .seed(seed, strategy),
        at: sourceLocation(fileID, filePath, line, column))
    }

    /// Runs the test, or each test of the suite, in virtual time under a schedule.
    ///
    /// A text that is no schedule fails the test with a `ScheduleSyntaxError`.
    ///
    /// - `schedule`: The text of the schedule, as a report of an exploration prints it.
    /// - `options`: The options of the scopes.
    /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are
    ///   attributed; by default that of the test.
    public static func virtualTime(
      schedule: String,
      _ options: VirtualTimeOptions = VirtualTimeOptions(),
      fileID: StaticString? = nil, filePath: StaticString? = nil, line: UInt? = nil,
      column: UInt? = nil
    ) -> Self {
      VirtualTimeTrait(
        options, .schedule(schedule),
        at: sourceLocation(fileID, filePath, line, column))
    }
  }
#endif
