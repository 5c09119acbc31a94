import CVirtualTime
import _EscapementCore

/// How much of the processors that its threads could use this process gets.
///
/// A thread that waits for a lock may wait for a thread that gets no processor, because the machine is
/// busy with other processes. Real time in which that happens says nothing about the code under test.
struct ProcessorShare {
  private static let current = Lock(ProcessorShare())

  /// The share at present, from 0 to 1.
  static func now(at realTime: Nanoseconds) -> Double {
    guard current.withLock({ $0.isDue(at: realTime) }) else { return current.withLock(\.share) }
    let sample = Sample(
      realTime: realTime, used: cvt_process_time(),
      wanted: min(Int(cvt_runnable_threads()), Int(cvt_processors())))
    return current.withLock { current in
      current.add(sample)
      return current.share
    }
  }

  struct Sample {
    let realTime: Nanoseconds
    /// How long all threads have run so far.
    let used: Nanoseconds
    /// How many processors they could use.
    let wanted: Int
  }

  private static let shortest: Nanoseconds = 50_000_000
  private static let longest: Nanoseconds = 1_000_000_000

  private(set) var share = 1.0
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
    if let last, let time, time <= Self.longest, sample.wanted > 0 {
      share = min(1, Double(sample.used - last.used) / Double(time) / Double(sample.wanted))
    } else {
      share = 1
    }
    last = sample
  }
}
