import CVirtualTime
import _EscapementCore

// Threads that only look on (`cvt_looks_on`) are left out: while the machine is busy, they nearly
// always could run. A process is idle if none of the others could run at one moment, and all
// together have used less than a sixteenth of a processor since the last look.

/// How much of a processor a thread of this process gets that could use one.
///
/// A thread that waits may wait for another thread that gets no processor, because this process or
/// others keep the machine busy. Real time in which that happens says nothing about the code under
/// test.
struct ProcessorShare {
  private static let current = Lock(ProcessorShare())

  /// The present share.
  static func now(at realTime: Nanoseconds) -> ProcessorShare {
    let last = current.withLock { $0 }
    guard last.isDue(at: realTime) else { return last }
    let sample = Sample(
      realTime: realTime, used: cvt_process_time(),
      wanted: Int(cvt_runnable_threads()))
    return current.withLock { current in
      current.add(sample)
      return current
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

  /// An idle process uses less than one part in so many of a processor.
  private static let idlePart: Nanoseconds = 16

  /// The share, from 0 to 1; 0 while it is not known.
  private(set) var share = 0.0
  /// Whether the threads of the process have had nothing to do.
  ///
  /// That none of them runs at one moment does not tell: a busy process has such moments, too.
  private(set) var isIdle = false
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
      let used = sample.used - last.used
      share = sample.wanted > 0 ? min(1, Double(used) / Double(time) / Double(sample.wanted)) : 1
      isIdle = sample.wanted == 0 && used < time / Self.idlePart
    } else {
      (share, isIdle) = (0, false)
    }
    last = sample
  }
}
