import BenchmarkSupport
import EscapementVirtualTime

/// One run of one subject in one shape.
struct Measurement: Codable {
  var nanosecondsPerSleep: Double
  /// The same in processor time.
  var processorNanosecondsPerSleep: Double
  /// How much more memory was in use when all tasks were suspended than before they were created.
  var bytesPerSleeper: Double?

  // Concurrent, so that neither the body nor its tasks are on the main actor, which would make
  // every wake-up a hop.
  @concurrent init(of subject: Subject, in shape: Shape) async throws {
    // Once on a small scale, so that what is set up once is not counted.
    _ = try await subject.run(Shape(tasks: 10, sleeps: 10))
    let (start, processorStart) = (ContinuousClock.now, ProcessorTime.now)
    let bytes = try await subject.run(shape)
    let (end, processorEnd) = (ContinuousClock.now, ProcessorTime.now)
    let sleeps = Double(shape.sleepCount)
    nanosecondsPerSleep = start.duration(to: end).nanoseconds / sleeps
    processorNanosecondsPerSleep = (processorEnd - processorStart).nanoseconds / sleeps
    bytesPerSleeper = bytes.map { Double($0) / Double(shape.tasks) }
  }
}

extension Subject {
  /// Runs the workload, and returns how much memory its suspended tasks took.
  fileprivate func run(_ shape: Shape) async throws -> Int? {
    switch self {
    case .timerQueue:
      TimerQueueFloor(shape).run()
      return nil
    case .bareSleep:
      #if os(Linux)
        BareSleepFloor(shape).run()
      #endif
      return nil
    case .unInjected:
      return try await withVirtualTime(long) {
        try await SleepWorkload(shape, time: $0).runUnInjected()
      }
    case .recorded:
      return try await withVirtualTime(
        .init(jobLimit: .max, eventLimit: .max, recordsTimeline: true)
      ) {
        try await SleepWorkload(shape, time: $0).runUnInjected()
      }
    case .testClock:
      return try await withVirtualTime(long) {
        try await SleepWorkload(shape, time: $0).runOnTestClock()
      }
    case .handle:
      return try await withVirtualTime(long) {
        try await SleepWorkload(shape, time: $0).runOnHandle()
      }
    case .suspension:
      return try await withVirtualTime(long) { try await SuspensionFloor(shape, time: $0).run() }
    case .job:
      return try await withVirtualTime(long) { _ in try await JobFloor(shape).run() }
    }
  }
}

/// The workloads sleep more often than tests do.
private let long = VirtualTimeOptions(jobLimit: .max, eventLimit: .max)
