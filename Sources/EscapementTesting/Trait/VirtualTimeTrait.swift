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
  /// Every test, and every case of a parameterised test, runs in its own scope. Tests run in parallel as
  /// they do without the trait. `VirtualTime.current` is the handle of the scope.
  public struct VirtualTimeTrait: TestTrait, SuiteTrait, TestScoping {
    private final class Identity: Sendable {}

    /// The options of the scopes.
    public let options: VirtualTimeOptions

    /// Where the trait stands, if it could be found out.
    private let location: _EscapementCore.SourceLocation?
    private let identity = Identity()

    init(_ options: VirtualTimeOptions, at location: _EscapementCore.SourceLocation?) {
      self.options = options
      self.location = location
    }

    /// Always `true`: a suite passes the trait on to its tests.
    public var isRecursive: Bool { true }

    /// Runs a test case in a scope.
    ///
    /// If both a test and its suite have the trait, the test runs in one scope, with the options of its
    /// own trait.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      let nearest = test.traits.last { $0 is VirtualTimeTrait } as? VirtualTimeTrait
      guard testCase != nil, nearest?.identity === identity else { return try await function() }
      do {
        try await withVirtualTime(options, reporting: { report($0, of: test) }, function)
      } catch VirtualTimeError.limitReached, VirtualTimeError.bodyGivenUp {
        // The scope has reported the reason as an issue.
      }
    }
  }

  extension VirtualTimeTrait {
    private func report(_ problem: Problem, of test: Test) {
      if let location {
        location.reportIssue(problem.message, severity: problem.severity)
      } else {
        Issue.record(
          Comment(rawValue: problem.message),
          severity: problem.severity == .warning ? .warning : .error,
          sourceLocation: test.sourceLocation)
      }
    }
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
    /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
    ///   by default that of the caller.
    public static func virtualTime(
      _ options: VirtualTimeOptions,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) -> Self {
      VirtualTimeTrait(
        options,
        at: _EscapementCore.SourceLocation(
          fileID: fileID, filePath: filePath, line: line, column: column))
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
      jobLimit: Int = VirtualTimeOptions().jobLimit,
      eventLimit: Int = VirtualTimeOptions().eventLimit,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) -> Self {
      .virtualTime(
        VirtualTimeOptions(
          mode: mode, wallClockStart: wallClockStart, standardClocks: standardClocks,
          leftovers: leftovers, stallLimit: stallLimit, holdLimit: holdLimit, jobLimit: jobLimit,
          eventLimit: eventLimit),
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
      jobLimit: Int = VirtualTimeOptions().jobLimit,
      eventLimit: Int = VirtualTimeOptions().eventLimit,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) -> Self {
      .virtualTime(
        mode: mode, wallClockStart: wallClockStart.durationSince1970,
        standardClocks: standardClocks, leftovers: leftovers, stallLimit: stallLimit,
        holdLimit: holdLimit, jobLimit: jobLimit, eventLimit: eventLimit,
        fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
#endif
