import IssueReporting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Issues that do not reach the test framework, because the test target does not link
/// IssueReporting's part for tests.
///
/// On Linux, IssueReporting then only prints the issue, and the test passes. So the process of the
/// tests has to fail. Apps do not contain code for tests for it.
enum LostIssues {
  /// Makes a process of tests fail at its end, if its issues are lost.
  static let failProcessIfLost: Void = {
    #if canImport(Glibc) || canImport(Musl)
      if isTesting, !reachTests { failProcess() }
    #endif
  }()

  #if canImport(Glibc) || canImport(Musl)
    /// Whether the process contains the function that IssueReporting looks up.
    private static var reachTests: Bool {
      guard let process = dlopen(nil, RTLD_LAZY) else { return false }
      return dlsym(process, "$s25IssueReportingTestSupport07_recordA0ypyF") != nil
    }

    static func failProcess() {
      atexit {
        fflush(nil)
        var message = LostIssues.message
        message.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        _exit(EXIT_FAILURE)
      }
    }
  #endif

  static let message = """

    The tests have failed, also if all of them are listed as passed: at least one issue was reported that \
    cannot reach the test framework (see 'An issue was recorded' above).

    The test target does not link the product 'EscapementTesting'. Add it to the dependencies of the test \
    target; it needs nothing else. A test target that uses only 'EscapementClocks' may add the product \
    'IssueReportingTestSupport' of the package 'xctest-dynamic-overlay' instead.

    """
}
