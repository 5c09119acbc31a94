#if os(Linux) && canImport(Testing)
  import EscapementVirtualTime
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Runs one test of this program under a schedule, in a process of its own.
  struct CrashReplay: CrashReplaying {
    /// The name of the test.
    let test: String

    /// Whether this process is such a one.
    static let isReplaying = getenv("ESCAPEMENT_REPLAY") != nil

    /// How long a replay may take; it is ended by then.
    private static let seconds: UInt32 = 60

    /// To be called in the process of its own, before the test runs.
    static func limitTime() { if isReplaying { alarm(seconds) } }

    /// Returns the output of the process if a signal ends it, as when it traps.
    @concurrent func crash(
      under schedule: ExecutionSchedule, tellsSteps: Bool
    ) async -> ReplayedCrash? {
      if Self.isReplaying { return nil }
      // A pipe would have to be read while the process runs.
      guard let file = tmpfile() else { return nil }
      defer { fclose(file) }
      let output = fileno(file)
      guard let process = spawn(schedule, tellsSteps: tellsSteps, output: output) else {
        return nil
      }
      var status: Int32 = 0
      while waitpid(process, &status, 0) == -1, errno == EINTR {}
      let signal = status & 0x7f
      guard signal != 0, ![SIGALRM, SIGINT, SIGTERM].contains(signal) else { return nil }
      return ReplayedCrash(output: Self.end(of: output), signal: String(cString: strsignal(signal)))
    }

    /// The last 64 kilobytes of a file.
    private static func end(of file: Int32) -> String {
      let size = lseek(file, 0, SEEK_END)
      let start = max(0, size - 65_536)
      let bytes = [UInt8](unsafeUninitializedCapacity: size - start) { buffer, count in
        count = max(0, pread(file, buffer.baseAddress, buffer.count, start))
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// The regular expression that matches only the test of this name, and its cases.
    static func pattern(of test: String) -> String {
      // A regular expression that escapes another character is not valid.
      let name = test.map { $0.isASCII && !$0.isLetter && !$0.isNumber ? "\\\($0)" : "\($0)" }
      return "^\(name.joined())(/|$)"
    }

    private func spawn(
      _ schedule: ExecutionSchedule, tellsSteps: Bool, output: Int32
    ) -> pid_t? {
      let arguments = [
        "swift-test", "--testing-library", "swift-testing", "--filter", Self.pattern(of: test),
      ]
      var variables: [String] = [
        "ESCAPEMENT_SCHEDULE=\(schedule)", "ESCAPEMENT_REPLAY=\(tellsSteps ? "steps" : "1")",
        "SWIFT_BACKTRACE=enable=no", "NO_COLOR=1",
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
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, output, 2)
      return Self.withStrings(arguments) { arguments in
        Self.withStrings(variables) { variables in
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
