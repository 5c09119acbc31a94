import ArgumentParser

/// Something that is measured: a block, or a floor beside it.
enum Subject: String, CaseIterable, Codable, ExpressibleByArgument {
  // QuotaLimiter.tryAcquire
  case tokenBucket = "token bucket"
  case slidingWindow = "sliding window"
  case denied = "denied"
  case severalQuotas = "both at once"

  // QuotaLimiter.reserve
  case cancelledReservation = "reserve and cancel"
  case replacedReservation = "cancel and reserve"
  case replacedOfSeveral = "both at once, replaced"

  // QuotaLimiter.credit, drain
  case credit = "take and credit"
  case windowCredit = "take and credit, window"
  case drain = "drain"

  // KeyedQuotaLimiter.tryAcquire(for:)
  case newKeys = "keyed limiter, new keys"
  case knownKeys = "keyed limiter, known keys"
  case eviction = "keyed limiter, evicting"
  case newTexts = "keyed limiter, new strings"

  // RateLimiter.execute
  case keptAction = "action that is kept"
  case firstAction = "limiter, first action"

  // withDeadline
  case deadline = "withDeadline"

  // DefaultPeriodicTaskLauncher
  case launchers = "launchers"

  // CircuitBreaker.run, ConcurrencyLimiter.run, retry, hedged, withFallback, SharedQuotaLimiter.tryAcquire,
  // Lease.run, runOnce
  case breaker = "breaker"
  case rateBreaker = "breaker with a rate"
  case limiter = "concurrency limiter"
  case vegasLimiter = "limiter that adapts"
  case retry = "retry"
  case budget = "retry with a budget"
  case emptyBudget = "retry, budget is empty"
  case hedged = "hedged"
  case fallback = "fallback"
  case sharedQuota = "shared quota, in memory"
  case lease = "lease, in memory"
  case doneRun = "lease, run is done"

  // The same with a closure for events
  case toldBreaker = "breaker, told"
  case toldLimiter = "concurrency limiter, told"
  case quota = "quota"
  case toldQuota = "quota, told"
  case keyedQuota = "keyed quota"
  case toldKeyedQuota = "keyed quota, told"

  // Schedule.next(after:)
  case nightly = "nightly in Berlin"
  case nightlyUTC = "nightly in UTC"
  case quarters = "quarter hours in Berlin"

  // Floors: the cheapest things that could do the job.
  case lock = "lock and integer"
  case lockAndTime = "lock, integer, time"
  case dictionary = "lock and dictionary"
  case newEntries = "lock, dictionary, time"
  case textArray = "array of the strings"
  case sleepingTask = "task that sleeps"
  case group = "group of two"
  case sleepingGroup = "group, one sleeps"
  case loops = "loops around a sleep"
  case calendar = "Calendar.nextDate"
  case lockedCall = "call between two locks"
}

/// A block, and what it is measured beside.
enum Comparison: CaseIterable {
  case tryAcquire, cancelledReservations, replacedReservations, changes, manyKeys, manyTexts,
    execute, firstAction, withDeadline, tick, schedule, resilience, events

  var title: String {
    switch self {
    case .tryAcquire: "QuotaLimiter.tryAcquire()"
    case .cancelledReservations: "QuotaLimiter.reserve().cancel()"
    case .replacedReservations: "cancel() and reserve(), many wait"
    case .changes: "QuotaLimiter.credit(), drain()"
    case .manyKeys: "KeyedQuotaLimiter.tryAcquire(for:)"
    case .manyTexts: "The same, keys of 24 characters"
    case .execute: "RateLimiter.execute, within an interval"
    case .firstAction: "RateLimiter: create, execute, release"
    case .withDeadline: "withDeadline around an empty body"
    case .tick: "A tick of a DefaultPeriodicTaskLauncher"
    case .schedule: "Schedule.next(after:)"
    case .resilience: "Around an empty body"
    case .events: "Without onEvent, and told to one"
    }
  }

  /// What there are several of.
  var scaleName: String {
    switch self {
    case .tick: "launchers"
    case .cancelledReservations: "cancelled"
    case .replacedReservations: "waiting"
    case .manyKeys, .manyTexts: "keys"
    default: "threads"
    }
  }

  func scales(quick: Bool) -> [Int] {
    switch self {
    case .tryAcquire: [1, 2]
    case .manyKeys, .manyTexts: quick ? [100_000] : [1_000_000]
    case .cancelledReservations, .replacedReservations:
      quick ? [1_000, 100_000] : [1_000, 1_000_000]
    case .changes, .execute, .firstAction, .withDeadline, .schedule, .resilience, .events:
      [1]
    case .tick: quick ? [1_000, 100_000] : [1_000, 1_000_000]
    }
  }

  var blocks: [Subject] {
    switch self {
    case .tryAcquire: [.tokenBucket, .slidingWindow, .denied, .severalQuotas]
    case .cancelledReservations: [.cancelledReservation]
    case .replacedReservations: [.replacedReservation, .replacedOfSeveral]
    case .changes: [.credit, .windowCredit, .drain]
    case .manyKeys: [.newKeys, .knownKeys, .eviction]
    case .manyTexts: [.newTexts]
    case .execute: [.keptAction]
    case .firstAction: [.firstAction]
    case .withDeadline: [.deadline]
    case .tick: [.launchers]
    case .schedule: [.nightly, .nightlyUTC, .quarters]
    case .resilience:
      [
        .breaker, .rateBreaker, .limiter, .vegasLimiter, .retry, .budget, .emptyBudget, .hedged,
        .fallback, .sharedQuota, .lease, .doneRun,
      ]
    case .events:
      [
        .breaker, .toldBreaker, .limiter, .toldLimiter, .quota, .toldQuota, .keyedQuota,
        .toldKeyedQuota,
      ]
    }
  }

  /// The first is the one that the blocks are compared with.
  var floors: [Subject] {
    switch self {
    case .tryAcquire, .changes: [.lock, .lockAndTime]
    case .cancelledReservations, .replacedReservations: [.dictionary]
    case .manyKeys: [.newEntries]
    case .manyTexts: [.textArray]
    case .execute: [.lock]
    case .firstAction: [.sleepingTask]
    case .withDeadline: [.group, .sleepingGroup]
    case .tick: [.loops]
    case .schedule: [.calendar]
    case .resilience: [.lockedCall, .group]
    case .events: [.lockedCall]
    }
  }
}

/// A subject at one scale: a number of threads, of launchers, of reservations, or of keys.
struct Series: Hashable {
  let subject: Subject
  let scale: Int

  static func all(quick: Bool) -> [Series] {
    Comparison.allCases.reduce(into: []) { all, comparison in
      for scale in comparison.scales(quick: quick) {
        for subject in comparison.blocks + comparison.floors {
          let series = Series(subject: subject, scale: scale)
          if !all.contains(series) { all.append(series) }
        }
      }
    }
  }
}
