/// The latest calls, and whether too many of them have failed.
enum OutcomeWindow {
  case count(CountWindow)
  case rate(RateWindow)

  /// Adds a call.
  ///
  /// Returns whether too many calls have failed.
  mutating func record(isFailure: Bool, at now: Int64) -> Bool {
    switch self {
    case .count(var window):
      self = .count(CountWindow(failures: 1, calls: 1))
      defer { self = .count(window) }
      return window.record(isFailure: isFailure)
    case .rate(var window):
      self = .count(CountWindow(failures: 1, calls: 1))
      defer { self = .rate(window) }
      return window.record(isFailure: isFailure, at: now)
    }
  }

  mutating func removeAll() {
    switch self {
    case .count(let window): self = .count(window.emptied)
    case .rate(let window): self = .rate(window.emptied)
    }
  }
}

/// The last calls, as a ring.
struct CountWindow {
  private let limit: Int
  private let size: Int
  private var outcomes: [Bool] = []
  private var next = 0
  private var failureCount = 0

  init(failures: Int, calls: Int) {
    limit = failures
    size = calls
  }

  var emptied: CountWindow { CountWindow(failures: limit, calls: size) }

  mutating func record(isFailure: Bool) -> Bool {
    if isFailure { failureCount += 1 }
    if outcomes.count < size {
      outcomes.append(isFailure)
    } else {
      if outcomes[next] { failureCount -= 1 }
      outcomes[next] = isFailure
      next = next + 1 == size ? 0 : next + 1
    }
    return failureCount >= limit
  }
}

/// The calls of a time, counted in ten slices.
struct RateWindow {
  private static var sliceCount: Int64 { 10 }

  private let percent: Int
  private let minimumCalls: Int
  private let window: Int64
  private var slices: [(calls: Int, failures: Int)]
  private var total = (calls: 0, failures: 0)
  /// The number of the newest slice, since the time 0.
  private var newest: Int64 = 0

  init(percent: Int, minimumCalls: Int, window: Int64) {
    self.percent = percent
    self.minimumCalls = minimumCalls
    self.window = window
    slices = Array(repeating: (0, 0), count: Int(Self.sliceCount))
  }

  var emptied: RateWindow {
    RateWindow(percent: percent, minimumCalls: minimumCalls, window: window)
  }

  mutating func record(isFailure: Bool, at now: Int64) -> Bool {
    advance(to: max(newest, now / (window / Self.sliceCount)))
    let index = Int(newest % Self.sliceCount)
    slices[index].calls += 1
    total.calls += 1
    if isFailure {
      slices[index].failures += 1
      total.failures += 1
    }
    let (share, isLarge) = total.failures.multipliedReportingOverflow(by: 100)
    return total.calls >= minimumCalls && (isLarge || share / total.calls >= percent)
  }

  private mutating func advance(to slice: Int64) {
    for _ in 0..<min(slice - newest, Self.sliceCount) {
      newest += 1
      let index = Int(newest % Self.sliceCount)
      total.calls -= slices[index].calls
      total.failures -= slices[index].failures
      slices[index] = (0, 0)
    }
    // Only the last ten slices count, and all of them are empty if there were more in between.
    guard newest < slice else { return }
    slices = Array(repeating: (0, 0), count: Int(Self.sliceCount))
    (newest, total) = (slice, (0, 0))
  }
}
