/// The state of a quota for one key, without the arguments that all keys share.
///
/// It is small, because a keyed limiter stores one for each key.
enum QuotaMemory {
  case smooth(fullAt: WideInteger)
  case interval(tokens: Int, nextRefill: Int64)
  indirect case window(SlidingWindow)
  case all([QuotaMemory])
}

extension QuotaAlgorithm {
  /// The difference between this state and that of a new quota with the same arguments.
  var memory: QuotaMemory {
    switch self {
    case .smooth(let smooth):
      .smooth(fullAt: smooth.fullAt)
    case .interval(let interval):
      .interval(tokens: interval.tokens, nextRefill: interval.nextRefill)
    case .window(let window):
      .window(window)
    case .all(let all):
      .all(all.map(\.memory))
    case .changing: preconditionFailure("A quota was read while a change was in progress.")
    }
  }

  /// This quota, with the memory of another one with the same arguments.
  func recalling(_ memory: QuotaMemory) -> QuotaAlgorithm {
    switch (self, memory) {
    case (.smooth(var smooth), .smooth(let fullAt)):
      smooth.fullAt = fullAt
      return .smooth(smooth)
    case (.interval(var interval), .interval(let tokens, let nextRefill)):
      (interval.tokens, interval.nextRefill) = (tokens, nextRefill)
      return .interval(interval)
    case (.window, .window(let window)):
      return .window(window)
    case (.all(let all), .all(let memories)):
      return .all(zip(all, memories).map { $0.recalling($1) })
    default:
      preconditionFailure("A quota was given the memory of a quota of another kind.")
    }
  }
}
