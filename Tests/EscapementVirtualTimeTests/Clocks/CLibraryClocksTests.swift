#if os(Linux)
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  private let secondsAtStart = 946_684_800

  @Suite(.virtualStandardClocks) struct CLibraryClocksTests {
    // MARK: Clocks by number

    @Test(
      arguments: [
        (CLOCK_TAI, CLOCK_REALTIME), (CLOCK_REALTIME_ALARM, CLOCK_REALTIME),
        (CLOCK_BOOTTIME_ALARM, CLOCK_BOOTTIME),
      ])
    func `a variant of a clock reads what the clock reads`(
      variant: clockid_t, clock: clockid_t
    ) async throws {
      try await withVirtualTime { time in
        for step in [Duration.zero, .nanoseconds(1), .seconds(86_400)] {
          await time.advance(by: step)
          #expect(reading(of: variant) == reading(of: clock))
        }
      }
    }

    @Test func `the resolution of the clocks is that of the platform`() async throws {
      func resolution() -> Int {
        var resolution = timespec()
        clock_getres(CLOCK_REALTIME, &resolution)
        return resolution.tv_nsec
      }
      let outside = resolution()
      try await withVirtualTime { _ in #expect(resolution() == outside) }
    }

    // MARK: timespec_get

    @Test func `timespec_get reads the wall clock`() async throws {
      try await withVirtualTime { time in
        await time.advance(by: .nanoseconds(1_500_000_001))
        var now = timespec()
        #expect(timespec_get(&now, TIME_UTC) == TIME_UTC)
        #expect((now.tv_sec, now.tv_nsec) == (secondsAtStart + 1, 500_000_001))
      }
    }

    @Test func `timespec_get refuses a base that the C library does not know`() async throws {
      func refusal() -> Int32 {
        var now = timespec()
        return timespec_get(&now, 1_000)
      }
      #expect(refusal() == 0)
      try await withVirtualTime { _ in #expect(refusal() == 0) }
    }

    // MARK: gettimeofday

    @Test func `gettimeofday can be asked for the time zone alone`() async throws {
      let gettimeofday = try gettimeofdayWithNull()
      func zone() -> [Int32] {
        var zone = timezone(tz_minuteswest: -1, tz_dsttime: -1)
        let result = gettimeofday(nil, &zone)
        return [result, zone.tz_minuteswest, zone.tz_dsttime]
      }
      #expect(zone() == [0, 0, 0])
      try await withVirtualTime { _ in #expect(zone() == [0, 0, 0]) }
    }

    @Test func `gettimeofday can be asked for nothing`() async throws {
      let gettimeofday = try gettimeofdayWithNull()
      #expect(gettimeofday(nil, nil) == 0)
      try await withVirtualTime { _ in #expect(gettimeofday(nil, nil) == 0) }
    }

    @Test func `gettimeofday gives the virtual time beside the time zone`() async throws {
      try await withVirtualTime { _ in
        var (now, zone) = (timeval(), timezone(tz_minuteswest: -1, tz_dsttime: -1))
        #expect(gettimeofday(&now, &zone) == 0)
        #expect((now.tv_sec, zone.tz_minuteswest, zone.tz_dsttime) == (secondsAtStart, 0, 0))
      }
    }

    // MARK: The end of the range

    @Test func `no clock stands still before the end of virtual time`() async throws {
      let lastYear = Duration.seconds(9_223_372_036 - 31_536_000)
      for start in [.zero, .seconds(9_223_372_036), .seconds(-9_223_372_036)] as [Duration] {
        try await withVirtualTime(VirtualTimeOptions(wallClockStart: start)) { time in
          await time.advance(by: lastYear)
          let before = clocks.map(reading)
          await time.advance(by: .nanoseconds(1))
          #expect(clocks.map(reading) == before.map { $0 + .nanoseconds(1) })
        }
      }
    }
  }

  private let clocks = [
    CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_TAI,
  ]

  private func reading(of clock: clockid_t) -> Duration {
    var reading = timespec()
    clock_gettime(clock, &reading)
    return .seconds(reading.tv_sec) + .nanoseconds(reading.tv_nsec)
  }

  /// `gettimeofday`, whose first argument the headers of the C library declare not to be null.
  private typealias GetTimeOfDay =
    @convention(c) (
      UnsafeMutablePointer<timeval>?, UnsafeMutablePointer<timezone>?
    ) -> Int32

  private func gettimeofdayWithNull() throws -> GetTimeOfDay {
    let everywhere = UnsafeMutableRawPointer(bitPattern: 0)
    return unsafeBitCast(
      try #require(dlsym(everywhere, "gettimeofday")), to: GetTimeOfDay.self)
  }
#endif
