import CVirtualTime
import _EscapementCore

/// How much of a processor a thread of this process gets that could use one.
///
/// A thread that waits may wait for another thread that gets no processor, because this process or others
/// keep the machine busy. Real time in which that happens says nothing about the code under test.
struct ProcessorShare {
  private static let current = Lock(ProcessorShare())

  /// The share at present, from 0 to 1; 0 while it is not known.
  static func now(at realTime: Nanoseconds) -> Double {
    guard current.withLock({ $0.isDue(at: realTime) }) else { return current.withLock(\.share) }
    let sample = Sample(
      realTime: realTime, used: cvt_process_time(),
      wanted: Int(cvt_runnable_threads()))
    return current.withLock { current in
      current.add(sample)
      return current.share
    }
  }

  struct Sample {
    let realTime: Nanoseconds
    /// How long all threads have run so far.
    let used: Nanoseconds
    /// How many of them run, or could run.
    let wanted: Int
  }

  private static let shortest: Nanoseconds = 50_000_000
  private static let longest: Nanoseconds = 1_000_000_000
  /// How often a sample is to be taken at least.
  static let interval = longest / 2

  private(set) var share = 0.0
  private var last: Sample?

  /// Whether it is time for a sample.
  ///
  /// To take one costs some microseconds for each thread.
  func isDue(at realTime: Nanoseconds) -> Bool {
    last.map { realTime - $0.realTime >= Self.shortest } ?? true
  }

  mutating func add(_ sample: Sample) {
    let time = last.map { sample.realTime - $0.realTime }
    // Another thread may have taken a sample meanwhile.
    if let time, time < Self.shortest { return }
    if let last, let time, time <= Self.longest {
      let used = Double(sample.used - last.used) / Double(time)
      share = sample.wanted > 0 ? min(1, used / Double(sample.wanted)) : 1
    } else {
      share = 0
    }
    last = sample
  }
}
