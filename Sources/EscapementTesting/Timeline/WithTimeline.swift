#if canImport(Testing)
  import EscapementVirtualTime
  import Testing
  import _EscapementCore

  /// Runs a test, and shows its timeline if it is recorded and the test fails.
  ///
  /// The first failure gets the last steps as a comment. The page is attached to the test, and
  /// written to the folder of the environment, if that names one.
  func withTimeline(
    _ options: VirtualTimeOptions, _ test: Test, _ testCase: Test.Case?,
    _ run: @Sendable (VirtualTimeOptions) async throws -> Void
  ) async throws {
    let folder = TraceFolder.current
    guard options.recordsTimeline || folder != nil else { return try await run(options) }
    let recorder = TimelineRecorder()
    var recording = options
    recording.recorder = recorder
    let hasFailed = Lock(false)
    let comments = IssueHandlingTrait.compactMapIssues { issue in
      // The issue of a test that runs at the same time passes.
      guard Test.current == nil || Test.current?.id == test.id, issue.isFailure else {
        return issue
      }
      defer { recorder.fails(TimelineFailure(issue)) }
      let isFirst = hasFailed.withLock { hasFailed in
        defer { hasFailed = true }
        return !hasFailed
      }
      guard isFirst else { return issue }
      var issue = issue
      let steps = recorder.timeline.lastSteps.drop { $0.isNewline }
      issue.comments.append(Comment(rawValue: String(steps)))
      return issue
    }
    let options = recording
    let thrown = Lock<(any Error)?>(nil)
    try await comments.provideScope(for: test, testCase: testCase) {
      do { try await run(options) } catch { thrown.withLock { $0 = error } }
    }
    let error = thrown.withLock { $0 }
    let timeline = recorder.timeline
    let isFailure = error != nil || hasFailed.withLock { $0 }
    let name = test.nameInFiles
    folder?.write(timeline, of: name, hasFailed: isFailure)
    if isFailure {
      Attachment.record(timeline.html(title: name), named: "\(TraceFolder.fileName(name)).html")
    }
    if let error { throw error }
  }

  extension TimelineFailure {
    fileprivate init(_ issue: Issue) {
      self.init(path: issue.sourceLocation?.filePath, line: issue.sourceLocation?.line ?? 0) {
        "\(issue)".replacing(" (error)", with: "", maxReplacements: 1)
      }
    }
  }
#endif
