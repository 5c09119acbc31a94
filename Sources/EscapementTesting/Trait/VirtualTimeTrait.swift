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

    /// The options of the scopes.
    public let options: VirtualTimeOptions

    /// The order in which the jobs of a test run.
    private let order: ExecutionOrder
    /// The place at which problems are reported, if not at the test.
    private let location: _EscapementCore.SourceLocation?
    private let identity = Identity()
    /// The trait that runs the current test: one value may stand at several places around it.
    @TaskLocal private static var provider: Identity?

    init(
      _ options: VirtualTimeOptions, _ order: ExecutionOrder,
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
        #if os(Linux)
          CrashReplay.limitTime()
        #endif
        let plan = try order.plan()
        switch plan {
        case .single:
          try await withTimeline(options, test, testCase) { options in
            try await withVirtualTime(options, plan, reporting: reporter(for: test), function)
          }
        case .explore(let seedCount, let exploration):
          try await explore(seedCount, exploration, test, testCase, function)
        }
      } catch VirtualTimeError.limitReached, VirtualTimeError.bodyGivenUp {
        // The scope has reported the reason as an issue.
      }
    }

    private func explore(
      _ seedCount: Int, _ exploration: ExplorationOptions, _ test: Test, _ testCase: Test.Case?,
      _ function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      let reporter = reporter(for: test)
      try await withoutActuallyEscaping(function) { function in
        func explored(
          _ run: @escaping @Sendable (VirtualTimeOptions) async throws -> Void
        ) -> ExploredTest {
          ExploredTest(
            name: test.nameInFiles, options: options, exploring: exploration,
            reporting: reporter,
            in: test.sourceLocation.filePath,
            filter: SwiftTestingFailureFilter(test: test, testCase: testCase),
            replayer: replayer(of: test.nameInFiles), perform: run)
        }
        let run: @Sendable (VirtualTimeOptions) async throws -> Void = { options in
          // What fails in a run belongs to the run, also if the trait '.doubles' is outside of this
          // one.
          guard DoublesScope.current != nil else {
            return try await withVirtualTime(options, .single(nil), reporting: reporter, function)
          }
          try await withDoubles {
            try await withVirtualTime(options, .single(nil), reporting: reporter, function)
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

  extension Trait where Self == VirtualTimeTrait {
    /// Runs the test, or all tests of the suite, in virtual time.
    ///
    /// Issues of the scope are attributed to the line of the test.
    public static var virtualTime: Self { .virtualTime() }

    /// Runs the test, or all tests of the suite, in virtual time.
    ///
    /// ```swift
    /// @Test(.virtualTime(.init(leftovers: .fail))) func …
    /// @Test(.virtualTime(order: .exploring(1_000))) func …
    /// ```
    ///
    /// An exploration makes a new instance of the suite for each run.
    ///
    /// - `options`: The options of the scopes.
    /// - `order`: The order in which the jobs of a test run.
    /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are
    ///   attributed; by default that of the test.
    public static func virtualTime(
      _ options: VirtualTimeOptions = VirtualTimeOptions(), order: ExecutionOrder = .plain,
      fileID: StaticString? = nil, filePath: StaticString? = nil, line: UInt? = nil,
      column: UInt? = nil
    ) -> Self {
      var location: _EscapementCore.SourceLocation?
      if let fileID, let filePath, let line {
        location = .init(fileID: fileID, filePath: filePath, line: line, column: column ?? 1)
      }
      return VirtualTimeTrait(options, order, at: location)
    }
  }
#endif
