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
  /// The operations that began before the limit last grew, and whose times do not tell of it.
  private var olderOperations = 0
  /// The shortest time is being measured anew, with this many operations to come.
  ///
  /// After that, the limit is the one from before.
  private var probe: (samplesLeft: Int, samples: Int, shortest: Int64, limit: Int)?

  init(limit: Int, range: ClosedRange<Int>) {
    self.limit = limit
    self.range = range
    samplesUntilProbe = 30 * limit
  }

  mutating func record(_ sample: Sample) {
    let time = max(sample.time, 1)
    // Some may have ended without a sample.
    olderOperations = min(olderOperations, sample.running - 1)
    if sample.isOverload {
      let step = step
      probe?.limit -= step
      set(limit - step)
    } else if probe != nil {
      continueProbe(time)
    } else if samplesUntilProbe <= 1 {
      beginProbe(running: sample.running)
    } else {
      // A smaller limit has fewer operations, and must not wait for a probe for longer.
      samplesUntilProbe = min(samplesUntilProbe - 1, 30 * limit)
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
    probe = (samples, samples, .max, limit)
    set((limit + 1) / 2)
  }

  private mutating func continueProbe(_ time: Int64) {
    probe!.samplesLeft -= 1
    // The first half began with the full limit.
    if probe!.samplesLeft * 2 < probe!.samples { probe!.shortest = min(probe!.shortest, time) }
    guard probe!.samplesLeft <= 0 else { return }
    shortest = probe!.shortest
    set(probe!.limit)
    samplesUntilProbe = 30 * limit
    probe = nil
  }

  private mutating func adapt(_ time: Int64, running: Int) {
    let shortest = min(self.shortest ?? time, time)
    self.shortest = shortest
    let isOlder = olderOperations > 0
    if isOlder { olderOperations -= 1 }
    // With few operations, their time says nothing about the limit.
    guard running >= (limit + 1) / 2 else { return }
    // limit * (1 - shortest / time), rounded up
    let waiting = Int64(limit).multipliedFullWidth(by: time - shortest)
    let queue =
      Int(time.dividingFullWidth(waiting).quotient)
      + (time.dividingFullWidth(waiting).remainder > 0 ? 1 : 0)
    let (alpha, beta) = (3 * step, 6 * step)
    if queue > beta {
      set(limit - step)
    } else if queue < alpha, !isOlder {
      // Once in a round trip, as TCP Vegas: else the limit grows far beyond before the first
      // operation shows it.
      set(limit + (queue <= step ? beta : step))
      olderOperations = running - 1
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
