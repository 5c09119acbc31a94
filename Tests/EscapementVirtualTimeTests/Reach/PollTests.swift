#if os(Linux)
  import CEventFiles
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  /// How code waits for a file.
  enum FileWait: CaseIterable {
    case poll, ppoll, select, pselect

    private var way: Int32 {
      switch self {
      case .poll: Int32(with_poll)
      case .ppoll: Int32(with_ppoll)
      case .select: Int32(with_select)
      case .pselect: Int32(with_pselect)
      }
    }

    /// - Returns: How many files are ready, or less than 0 and an error number.
    @discardableResult
    func callAsFunction(
      _ file: Int32, writes: Bool = false, timeout: Duration? = nil
    ) -> Int32 { waitTellingRest(file, writes: writes, timeout: timeout).ready }

    /// - Returns: How many files are ready, and what `select` says is left of the time.
    func waitTellingRest(
      _ file: Int32, writes: Bool = false, timeout: Duration? = nil
    ) -> (ready: Int32, rest: Duration) {
      let nanoseconds = timeout.map { Int64($0 / .nanoseconds(1)) } ?? -1
      var rest: Int64 = 0
      let ready = wait_for_file(way, file, writes, nanoseconds, &rest)
      return (ready, .nanoseconds(rest))
    }

    /// Waits for ever while no signals are blocked.
    func waitWithAllSignals(_ file: Int32) -> Int32 { wait_with_all_signals(way, file) }
  }

  /// A pipe that is closed at the end.
  func withPipe<Result>(
    _ body: (_ from: Int32, _ to: Int32) async throws -> Result
  ) async rethrows -> Result {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    return try await body(ends[0], ends[1])
  }

  private func setLastThreadNumber(toHighestMinus distance: Int) throws {
    let settings = "/proc/sys/kernel"
    let limit = try String(contentsOfFile: "\(settings)/pid_max", encoding: .utf8)
    guard let limit = Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)) else { return }
    try "\(limit - 1 - distance)".write(
      toFile: "\(settings)/ns_last_pid", atomically: false, encoding: .utf8)
  }

  private func writeByte(to file: Int32) {
    var byte: UInt8 = 1
    write(file, &byte, 1)
  }

  @Suite(.virtualStandardClocks) struct PollTests {
    @Test(arguments: FileWait.allCases, [false, true])
    func `a wait of the scope's own thread times out at its instant`(
      wait: FileWait, onMain: Bool
    ) async throws {
      try await withPipe { from, _ in
        let log = try await sameLog { log in
          let tick = Task {
            try await Task.sleep(for: .milliseconds(7))
            log.mark("task")
          }
          let run: @Sendable () -> Void = {
            #expect(wait(from, timeout: .milliseconds(9)) == 0)
            log.mark("timed out")
          }
          if onMain { await MainActor.run { run() } } else { run() }
          try await tick.value
        }
        #expect(log == ["task@7", "timed out@9"])
      }
    }

    @Test(arguments: FileWait.allCases)
    func `a thread that waits goes on at the instant of the byte`(wait: FileWait) async throws {
      try await withPipe { from, to in
        let log = try await sameLog { log in
          for i in 0..<2 {
            Thread.detachNewThread {
              log.mark("\(i) gets \(wait(from, timeout: i == 0 ? nil : .seconds(60)))")
            }
          }
          try await Task.sleep(for: .milliseconds(30))
          writeByte(to: to)
          await log.wait(for: 2)
          var byte: UInt8 = 0
          read(from, &byte, 1)
        }
        #expect(log == ["0 gets 1@30", "1 gets 1@30"])
      }
    }

    @Test func `threads go on in the order in which they were made, whatever their numbers`()
      async throws
    {
      try await withPipe { from, to in
        let log = try await sameLog(rounds: 20) { log in
          for i in 0..<3 {
            // The kernel gives the highest numbers to the first two threads, and then begins again. Only root may ask
            // for that.
            if i == 0 { try? setLastThreadNumber(toHighestMinus: 2) }
            Thread.detachNewThread { log.mark("\(i) gets \(FileWait.poll(from))") }
          }
          try await Task.sleep(for: .milliseconds(1))
          writeByte(to: to)
          await log.wait(for: 3)
          var byte: UInt8 = 0
          read(from, &byte, 1)
        }
        #expect(log == ["0 gets 1@1", "1 gets 1@1", "2 gets 1@1"])
      }
    }

    @Test(arguments: FileWait.allCases)
    func `threads that read and write the same file wait for what each wants`(
      wait: FileWait
    ) async throws {
      let log = try await sameLog(rounds: 20) { log in
        let (client, server) = connectedFiles()
        Thread.detachNewThread { log.mark("read \(wait(client, timeout: .seconds(60)))") }
        Thread.detachNewThread { log.mark("write \(wait(client, writes: true))") }
        try await Task.sleep(for: .milliseconds(5))
        writeByte(to: server)
        await log.wait(for: 2)
        close(client)
        close(server)
      }
      #expect(log == ["write 1@0", "read 1@5"])
    }

    @Test(arguments: FileWait.allCases)
    func `a file that is ready, and a timeout of zero, are not waited for`(
      wait: FileWait
    ) async throws {
      try await withPipe { from, to in
        try await withVirtualTime(.reaching) { time in
          #expect(wait(from, timeout: .zero) == 0)
          #expect(wait(to, writes: true) == 1)
          writeByte(to: to)
          #expect(wait(from) == 1)
          #expect(time.now.offset == .zero)
        }
      }
    }

    @Test(arguments: FileWait.allCases)
    func `a thread that asks again and again lets tasks run`(wait: FileWait) async throws {
      try await withPipe { from, _ in
        let log = try await sameLog(rounds: 5) { log in
          let isDone = Lock(false)
          Thread.detachNewThread {
            while !isDone.withLock({ $0 }) { wait(from, timeout: .zero) }
            log.mark("done")
          }
          await Task { isDone.withLock { $0 = true } }.value
          await log.wait(for: 1)
        }
        #expect(log == ["done@0"])
      }
    }

    @Test(arguments: FileWait.allCases)
    func `a wait of a nanosecond takes one`(wait: FileWait) async throws {
      // These two count in milliseconds and microseconds.
      let step: Duration =
        switch wait {
        case .poll: .milliseconds(1)
        case .select: .microseconds(1)
        case .ppoll, .pselect: .nanoseconds(1)
        }
      try await withPipe { from, _ in
        try await withVirtualTime(.reaching) { time in
          #expect(wait(from, timeout: step) == 0)
          #expect(time.now.offset == step)
        }
      }
    }

    @Test func `select tells what is left of its time`() async throws {
      try await withPipe { from, to in
        try await withVirtualTime(.reaching) { time in
          let task = Task {
            try await Task.sleep(for: .seconds(2))
            writeByte(to: to)
          }
          let (ready, rest) = FileWait.select.waitTellingRest(from, timeout: .seconds(5))
          #expect(ready == 1)
          #expect(rest == .seconds(3))
          try await task.value
        }
      }
    }

    @Test(.withoutThreadSanitizer, .takingTurns)
    func `files that do not exist are refused as the C library refuses them`() async {
      // In a process of its own, because any other test may open a file.
      await #expect(processExitsWith: .success) {
        // From now on, the kernel's table of files has a place for it.
        let missing = fcntl(STDERR_FILENO, F_DUPFD, 900)
        close(missing)
        try await withVirtualTime { time in
          #expect(FileWait.poll(missing, timeout: .seconds(5)) == 1)
          #expect(FileWait.ppoll(missing, timeout: .seconds(5)) == 1)
          #expect(FileWait.select(missing, timeout: .seconds(5)) == -EBADF)
          #expect(FileWait.pselect(missing, timeout: .seconds(5)) == -EBADF)
          #expect(time.now.offset == .zero)
          // A negative one is left out.
          #expect(FileWait.poll(-1, timeout: .seconds(5)) == 0)
          #expect(FileWait.select(-1, timeout: .seconds(5)) == 0)
          #expect(time.now.offset == .seconds(10))
        }
      }
    }

    @Test(.withoutThreadSanitizer, .takingTurns)
    func `files beyond the kernel's table of files are left out`() async {
      await #expect(processExitsWith: .success) {
        // Another test may have had a file with a high number open when the process began.
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let size = status.split(separator: "\n").first { $0.hasPrefix("FDSize:") }
        guard let size = size?.split(separator: "\t").last, Int(size)! < 1_024 else { return }
        try await withVirtualTime { time in
          // The kernel does not touch their bits, so it is the time that matters.
          FileWait.select(1_023, timeout: .seconds(5))
          FileWait.pselect(1_023, timeout: .seconds(5))
          #expect(time.now.offset == .seconds(10))
        }
      }
    }

    @Test(arguments: FileWait.allCases)
    func `a file with a high number is waited for`(wait: FileWait) async throws {
      try await withPipe { from, to in
        let high = fcntl(from, F_DUPFD_CLOEXEC, 1_500)
        // The process may not have so many.
        guard high >= 0 else { return }
        defer { close(high) }
        try await withVirtualTime(.reaching) { time in
          let task = Task {
            try await Task.sleep(for: .seconds(2))
            writeByte(to: to)
          }
          #expect(wait(high, timeout: .seconds(1)) == 0)
          #expect(wait(high, timeout: .seconds(5)) == 1)
          #expect(time.now.offset == .seconds(2))
          try await task.value
        }
      }
    }

    @Test(arguments: [FileWait.ppoll, .pselect])
    func `a signal that the mask lets through ends the wait`(wait: FileWait) async throws {
      signal(SIGUSR2) { _ in }
      try await withPipe { from, _ in
        let log = try await sameLog(rounds: 5) { log in
          Thread.detachNewThread {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGUSR2)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            pthread_kill(pthread_self(), SIGUSR2)
            log.mark("\(wait.waitWithAllSignals(from) == -EINTR)")
          }
          await log.wait(for: 1)
        }
        #expect(log == ["true@0"])
      }
    }

    @Test(arguments: FileWait.allCases)
    func `a wait that is left over goes on in real time`(wait: FileWait) async throws {
      try await withPipe { from, to in
        let log = Log<String>()
        try await withVirtualTime(.reaching) { _ in
          Thread.detachNewThread { log.append("forever \(wait(from))") }
          Thread.detachNewThread { log.append("an hour \(wait(from, timeout: .seconds(3_600)))") }
          try await Task.sleep(for: .milliseconds(1))
        }
        await log.wait(for: 1)
        #expect(log.entries == ["an hour 0"])
        writeByte(to: to)
        await log.wait(for: 2)
        #expect(log.entries.last == "forever 1")
      }
    }
  }
#endif
