import EscapementVirtualTime
import _EscapementCore

extension MarbleSequence {
  /// Creates an iterator, whose diagram begins now.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// One iteration of the diagram.
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: MarbleSequence
    private let iteration: MarbleIteration
    private let time: VirtualTime?
    private var index = 0
    /// The instant of the scope from which the next step of the diagram counts.
    private var origin: VirtualTime.Instant
    private var hasEnded = false

    init(_ sequence: MarbleSequence) {
      self.sequence = sequence
      time = VirtualTime.current
      origin = time?.now ?? VirtualTime.Instant()
      iteration = sequence.log.begin()
      if time == nil { sequence.location.reportIssue(MarbleTime.missing("A 'MarbleSequence'")) }
    }

    /// Waits for the next element; `nil` at the end, and when the task is cancelled.
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }

    /// Waits for the next element; `nil` at the end, and when the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      guard !hasEnded else { return nil }
      sequence.log.countDemand()
      guard let time else {
        hasEnded = true
        return nil
      }
      let step = sequence.steps.indices.contains(index) ? sequence.steps[index] : nil
      do {
        try await time.sleep(until: step.map { deadline(of: $0, time) } ?? .never)
      } catch {
        hasEnded = true
        iteration.end(.cancellation)
        return nil
      }
      index += 1
      switch step?.marble {
      case .value(let element):
        return element
      case .failure:
        hasEnded = true
        iteration.end(.failure)
        if let failure = sequence.failure { throw failure }
        return nil
      default:
        hasEnded = true
        iteration.end(.end)
        return nil
      }
    }

    private func deadline(
      of step: TimedMarble<Element>, _ time: VirtualTime
    ) -> VirtualTime.Instant {
      switch sequence.demand {
      case .buffered:
        return origin.advanced(by: .nanoseconds(step.instant))
      case .onDemand:
        let before = index > 0 ? sequence.steps[index - 1].instant : 0
        return time.now.advanced(by: .nanoseconds(step.instant - before))
      }
    }
  }
}

extension VirtualTime.Instant {
  /// Beyond the range of virtual time.
  fileprivate static var never: Self { Self(offset: .longest) }
}
