#if canImport(XCTest)
  public import EscapementVirtualTime
  import IssueReporting
  public import XCTest
  import _EscapementCore

  extension XCTestCase {
    /// Runs a test in virtual time: the one line for a class that does not derive from
    /// ``VirtualTimeTestCase``.
    ///
    /// ```swift
    /// override func invokeTest() { invokeInVirtualTime { super.invokeTest() } }
    /// ```
    ///
    /// On Linux, sleeps and timeouts of the test take virtual time: those of tasks, of threads such
    /// as `usleep`, of dispatch queues, of the main run loop, and of XCTest's waits for
    /// expectations. The test stays on the main thread, which runs the main queue while the test
    /// waits. With real queues and threads, a wait that blocks the main thread takes real time, and
    /// virtual time moves meanwhile. So it is on Apple platforms, where virtual time moves tasks
    /// that sleep on the handle or on an injected clock.
    ///
    /// Problems of the scope are recorded as failures of the test; warnings are printed. An
    /// asynchronous method that hangs is cancelled, and `tearDown` still runs in the scope. If the
    /// method does not end, or if a synchronous test hangs in a wait of virtual time, the test goes
    /// on in real time, without the scope.
    ///
    /// If the calling code is in a scope already, `invoke` runs in that one.
    ///
    /// - Parameters:
    ///   - options: How the scope behaves.
    ///   - fileID: The source location to which failures of the scope are attributed; by default
    ///     that of the caller.
    ///   - filePath: See `fileID`.
    ///   - line: See `fileID`.
    ///   - column: See `fileID`.
    ///   - invoke: Calls `super.invokeTest()`. It is not called if an option is invalid, which is
    ///     recorded as a failure.
    public func invokeInVirtualTime(
      _ options: VirtualTimeOptions = VirtualTimeOptions(),
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
      column: UInt = #column, _ invoke: () -> Void
    ) {
      runInVirtualTime(options, at: (filePath, line), invoke)
    }

    func runInVirtualTime(
      _ options: VirtualTimeOptions, at place: (file: StaticString, line: UInt)?,
      _ invoke: () -> Void
    ) {
      guard VirtualTime.current == nil else { return invoke() }
      // XCTest, too, has no other place for an error that a test throws. It names the test.
      let (file, line) = place.map { ("\($0.file)", Int($0.line)) } ?? ("<EXPR>", 0)
      // Failures may be recorded on any thread.
      nonisolated(unsafe) let test = self
      let fail: @Sendable (String) -> Void = { test.record($0, file, line) }
      let reporter = ProblemReporter(name: name) { message, severity in
        if severity == .error { return fail(message) }
        SourceLocation.printToStandardError("\(file):\(line): warning: \(message)\n")
      }
      RunLoopOfTests.with { loop in
        MainThreadVisit.run(
          options, reporting: reporter, on: loop, failing: { fail("\($0)") }, invoke)
      }
    }

    private func record(_ message: String, _ file: String, _ line: Int) {
      #if canImport(ObjectiveC)
        let place = XCTSourceCodeLocation(filePath: file, lineNumber: line)
        record(
          XCTIssue(
            type: .assertionFailure, compactDescription: message,
            sourceCodeContext: XCTSourceCodeContext(location: place)))
      #else
        recordFailure(withDescription: message, inFile: file, atLine: line, expected: true)
      #endif
    }
  }
#endif
