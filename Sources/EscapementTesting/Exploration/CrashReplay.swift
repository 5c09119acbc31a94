#if os(Linux) && canImport(Testing)
  import EscapementVirtualTime
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Runs one test of this program under a schedule, in a process of its own.
  enum CrashReplay {
    /// Whether this process is such a one.
    static let isReplaying = getenv("ESCAPEMENT_REPLAY") != nil

    /// How long a replay may take; it is ended by then.
    private static let seconds: UInt32 = 60

    /// To be called in the process of its own, before the test runs.
    static func limitTime() { if isReplaying { alarm(seconds) } }

    /// Whether the process ends by a signal, as it does when it traps.
    @concurrent static func kills(_ test: String, under schedule: ExecutionSchedule) async -> Bool {
      guard !isReplaying, let process = spawn(test, schedule) else { return false }
      var status: Int32 = 0
      while waitpid(process, &status, 0) == -1, errno == EINTR {}
      let signal = status & 0x7f
      return signal != 0 && signal != SIGALRM && signal != SIGINT && signal != SIGTERM
    }

    /// The regular expression that matches only the test of this name, and its cases.
    static func pattern(of test: String) -> String {
      // A regular expression that escapes another character is not valid.
      let name = test.map { $0.isASCII && !$0.isLetter && !$0.isNumber ? "\\\($0)" : "\($0)" }
      return "^\(name.joined())(/|$)"
    }

    private static func spawn(_ test: String, _ schedule: ExecutionSchedule) -> pid_t? {
      let arguments = [
        "swift-test", "--testing-library", "swift-testing", "--filter", pattern(of: test),
      ]
      var variables: [String] = [
        "ESCAPEMENT_SCHEDULE=\(schedule)", "ESCAPEMENT_REPLAY=1", "SWIFT_BACKTRACE=enable=no",
      ]
      var next = environ
      while let variable = next.pointee {
        let text = String(cString: variable)
        if !text.hasPrefix("ESCAPEMENT_"), !text.hasPrefix("SWIFT_BACKTRACE=") {
          variables.append(text)
        }
        next += 1
      }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      for file in 1...2 as ClosedRange<Int32> {
        posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_WRONLY, 0)
      }
      return withStrings(arguments) { arguments in
        withStrings(variables) { variables in
          var process: pid_t = 0
          let result = posix_spawn(&process, "/proc/self/exe", &actions, nil, arguments, variables)
          return result == 0 ? process : nil
        }
      }
    }

    private static func withStrings<Result>(
      _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
      let copies = strings.map { strdup($0) }
      defer { for copy in copies { free(copy) } }
      return body(copies + [nil])
    }
  }
#endif
