#if os(Linux)
  import CEventFiles
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  /// A `timerfd` that can be asked how often it has fired.
  private struct TimerFile {
    let file: Int32

    init(_ clock: clockid_t = CLOCK_MONOTONIC) { file = make_timerfd(clock) }

    /// Sets it; returns what was left of its time and its interval, in nanoseconds, or an error number.
    @discardableResult
    func set(_ value: Int64, every interval: Int64 = 0, isAbsolute: Bool = false) -> [Int64] {
      var old: [Int64] = [0, 0]
      let error = set_timerfd(file, isAbsolute, value, interval, &old)
      return error == 0 ? old : [Int64(error)]
    }

    var rest: [Int64] {
      var rest: [Int64] = [0, 0]
      get_timerfd(file, &rest)
      return rest
    }

    /// How often it has fired since it was last asked.
    var count: UInt64 {
      var count: UInt64 = 0
      return read(file, &count, 8) == 8 ? count : 0
    }
  }

  @Suite(.virtualStandardClocks) struct TimerFileTests {
    @Test func `it fires at its deadline and not before`() async throws {
      try await withVirtualTime(.reaching) { time in
        let timer = TimerFile()
        timer.set(5_000_000_000)
        await time.advance(by: .nanoseconds(4_999_999_999))
        #expect(timer.count == 0)
        await time.advance(by: .nanoseconds(1))
        #expect(timer.count == 1)
        #expect(timer.count == 0)
        await time.advance(by: .seconds(60))
        #expect(timer.count == 0)
        close(timer.file)
      }
    }

    /// In a process of its own, in which nobody else opens files.
    @Test(.takingTurns)
    func `whether the number of a closed timer is given again changes no schedule`() async {
      await #expect(processExitsWith: .success) {
        let runs = Log<Void>()
        let report = try await withExploration(1) { _ in
          runs.append(())
          let timer = TimerFile()
          timer.set(1_000_000_000)
          close(timer.file)
          let isTaken = runs.entries.count.isMultiple(of: 2)
          if isTaken { dup2(0, timer.file) }
          var next = TimerFile()
          // A thread of the engine, which looks at the machine, may have the number for a moment.
          while !isTaken, next.file != timer.file {
            close(next.file)
            next = TimerFile()
          }
          try await Task.sleep(for: .seconds(2))
          await withTaskGroup { tasks in
            for _ in 1...8 { tasks.addTask { for _ in 1...8 { await Task.yield() } } }
          }
          close(next.file)
          if isTaken { close(timer.file) }
        }
        #expect(report.failure == nil)
        #expect(report.firstDifference == nil)
      }
    }

    @Test(arguments: [CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME])
    func `an absolute deadline is a time of the scope's clock`(_ clock: clockid_t) async throws {
      try await withVirtualTime(.reaching) { time in
        let timer = TimerFile(clock)
        var now = timespec()
        clock_gettime(clock, &now)
        timer.set(Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) + 10, isAbsolute: true)
        await time.advance(by: .nanoseconds(9))
        #expect(timer.count == 0)
        await time.advance(by: .nanoseconds(1))
        #expect(timer.count == 1)
        timer.set(1, isAbsolute: true)
        await time.advance(by: .zero)
        #expect(timer.count == 1)
        close(timer.file)
      }
    }

    @Test func `one with an interval fires again and again`() async throws {
      try await withVirtualTime(.reaching) { time in
        let timer = TimerFile()
        timer.set(3, every: 10)
        for expected in [3, 13, 23] as [Int64] {
          await time.advanceToNextDeadline()
          #expect(time.now.offset == .nanoseconds(expected))
          #expect(timer.count == 1)
        }
        timer.set(0)
        await time.advance(by: .seconds(1))
        #expect(timer.count == 0)
        close(timer.file)
      }
    }

    @Test func `it tells what is left`() async throws {
      try await withVirtualTime(.reaching) { time in
        let timer = TimerFile()
        #expect(timer.rest == [0, 0])
        #expect(timer.set(100, every: 1_000) == [0, 0])
        #expect(timer.rest == [100, 1_000])
        await time.advance(by: .nanoseconds(30))
        #expect(timer.rest == [70, 1_000])
        #expect(timer.set(50) == [70, 1_000])
        #expect(timer.rest == [50, 0])
        await time.advance(by: .nanoseconds(50))
        #expect(timer.rest == [0, 0])
        close(timer.file)
      }
    }

    @Test func `setting it takes back what could be read`() async throws {
      try await withVirtualTime(.reaching) { time in
        let timer = TimerFile()
        timer.set(10)
        await time.advance(by: .nanoseconds(10))
        timer.set(10)
        #expect(timer.count == 0)
        await time.advance(by: .nanoseconds(10))
        #expect(timer.count == 1)
        close(timer.file)
      }
    }

    @Test func `an invalid time is refused`() async throws {
      try await withVirtualTime(.reaching) { _ in
        let timer = TimerFile()
        #expect(timer.set(-1) == [Int64(EINVAL)])
        close(timer.file)
      }
    }

    @Test func `a file with the same number is a new timer`() async throws {
      try await withVirtualTime(.reaching) { time in
        var old: TimerFile
        var new = TimerFile()
        // Other tests may take the number in between.
        repeat {
          old = new
          old.set(10)
          close(old.file)
          new = TimerFile()
        } while new.file != old.file
        await time.advance(by: .nanoseconds(10))
        #expect(new.count == 0)
        close(new.file)
      }
    }

    @Test func `one that is set fires when its scope has ended`() async throws {
      let timer = TimerFile()
      try await withVirtualTime(.reaching) { _ in _ = timer.set(3_600_000_000_000) }
      var file = pollfd(fd: timer.file, events: Int16(POLLIN), revents: 0)
      #expect(poll(&file, 1, 10_000) == 1)
      #expect(timer.count == 1)
      close(timer.file)
    }
  }
#endif
