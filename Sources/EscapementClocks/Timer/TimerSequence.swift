/// The endless sequence of the ticks of a timer.
///
/// `timer(interval:)`, a method of every clock, creates it. An element is the time of the clock
/// when the tick is delivered. Each iteration is a separate timer. It starts when the loop asks for
/// the first tick, and ends when its task is cancelled.
public struct TimerSequence<C: Clock>: AsyncSequence, Sendable {
  /// The time of the clock when a tick is delivered.
  public typealias Element = C.Instant

  /// A timer never fails.
  public typealias Failure = Never

  let clock: C
  let interval: C.Instant.Duration
  let tolerance: C.Instant.Duration?
  let missed: MissedTicks

  /// Creates a timer.
  ///
  /// It starts when its first tick is asked for.
  public func makeAsyncIterator() -> Iterator {
    Iterator(timer: self)
  }

  /// A running timer.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let timer: TimerSequence
    private var phase: Phase

    private enum Phase: Sendable {
      case unstarted
      case ticking(TickSchedule<C.Instant>)
      case finished
    }

    init(timer: TimerSequence) {
      self.timer = timer
      phase = timer.interval > .zero ? .unstarted : .finished
    }

    /// Waits for the next tick, and returns `nil` when the task is cancelled.
    public mutating func next() async -> C.Instant? {
      await next(isolation: #isolation)
    }

    /// Waits for the next tick, and returns `nil` when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> C.Instant? {
      if case .finished = phase { return nil }
      let asked = timer.clock.now
      var schedule =
        switch phase {
        case .ticking(let schedule): schedule
        case .unstarted, .finished:
          TickSchedule(start: asked, interval: timer.interval, missed: timer.missed)
        }
      do {
        try await timer.clock.sleep(until: schedule.nextDeadline, tolerance: timer.tolerance)
      } catch {
        phase = .finished
        return nil
      }
      let delivered = timer.clock.now
      schedule.tick(asked: asked, delivered: delivered)
      phase = .ticking(schedule)
      return delivered
    }
  }
}

/// The name of ``TimerSequence`` in swift-clocks.
public typealias _AsyncTimerSequence<C: Clock> = TimerSequence<C>
