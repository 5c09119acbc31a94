/// A limit that follows the length of the queue in the service.
struct VegasLimit {
  /// The observation of an ended operation.
  struct Sample {
    /// How long the operation took, in nanoseconds.
    let time: Int64
    /// How many operations were running when it ended, with itself.
    let running: Int
    /// Whether the service was too slow or refused the operation.
    let isOverload: Bool
  }

  private(set) var limit: Int
  private let range: ClosedRange<Int>
  /// The shortest time of an operation, which has not waited in a queue.
  private var shortest: Int64?
  private var samplesUntilProbe: Int
  /// The shortest time is being measured anew, with this many operations to come.
  private var probe: (samplesLeft: Int, samples: Int, shortest: Int64)?

  init(limit: Int, range: ClosedRange<Int>) {
    self.limit = limit
    self.range = range
    samplesUntilProbe = 30 * limit
  }

  mutating func record(_ sample: Sample) {
    let time = max(sample.time, 1)
    if sample.isOverload {
      set(limit - step)
    } else if probe != nil {
      continueProbe(time)
    } else if samplesUntilProbe <= 1 {
      beginProbe(running: sample.running)
    } else {
      samplesUntilProbe -= 1
      adapt(time, running: sample.running)
    }
  }

  /// Halves the limit and forgets the shortest time, since the service may have become slower for
  /// good.
  ///
  /// With the full limit, operations that have waited in the queue of the service would set the
  /// shortest time, and the limit would grow with each probe.
  private mutating func beginProbe(running: Int) {
    let samples = 2 * min(max(running, 1), limit)
    probe = (samples, samples, .max)
    set((limit + 1) / 2)
  }

  private mutating func continueProbe(_ time: Int64) {
    probe!.samplesLeft -= 1
    // The first half began with the full limit.
    if probe!.samplesLeft * 2 < probe!.samples { probe!.shortest = min(probe!.shortest, time) }
    guard probe!.samplesLeft <= 0 else { return }
    shortest = probe!.shortest
    samplesUntilProbe = 30 * limit
    probe = nil
  }

  private mutating func adapt(_ time: Int64, running: Int) {
    let shortest = min(self.shortest ?? time, time)
    self.shortest = shortest
    // With few operations, their time says nothing about the limit.
    guard running >= (limit + 1) / 2 else { return }
    // limit * (1 - shortest / time), rounded up
    let waiting = Int64(limit).multipliedFullWidth(by: time - shortest)
    let queue =
      Int(time.dividingFullWidth(waiting).quotient)
      + (time.dividingFullWidth(waiting).remainder > 0 ? 1 : 0)
    let (alpha, beta) = (3 * step, 6 * step)
    if queue <= step {
      set(limit + beta)
    } else if queue < alpha {
      set(limit + step)
    } else if queue > beta {
      set(limit - step)
    }
  }

  /// The decimal logarithm of the limit, rounded down, but at least 1.
  private var step: Int {
    var (step, power) = (0, 10)
    while power <= limit {
      step += 1
      power *= 10
    }
    return max(step, 1)
  }

  private mutating func set(_ limit: Int) {
    self.limit = min(max(limit, range.lowerBound), range.upperBound)
  }
}
