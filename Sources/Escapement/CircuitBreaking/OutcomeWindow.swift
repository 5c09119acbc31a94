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

/// The part of calls that has failed in a time.
struct RateWindow {
  private let percent: Int
  private let minimumCalls: Int
  private var counts: SlidingCounts

  init(percent: Int, minimumCalls: Int, window: Int64) {
    self.percent = percent
    self.minimumCalls = minimumCalls
    counts = SlidingCounts(window: window)
  }

  var emptied: RateWindow {
    RateWindow(percent: percent, minimumCalls: minimumCalls, window: counts.window)
  }

  mutating func record(isFailure: Bool, at now: Int64) -> Bool {
    counts.add(isMarked: isFailure, at: now)
    let (calls, failures) = counts.total
    let (share, isLarge) = failures.multipliedReportingOverflow(by: 100)
    return calls >= minimumCalls && (isLarge || share / calls >= percent)
  }
}
