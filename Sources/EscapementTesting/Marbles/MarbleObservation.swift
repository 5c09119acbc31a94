import EscapementVirtualTime
import _EscapementCore

/// The elements that a consumer gets from a sequence, and their times.
final class MarbleObservation<Element: Sendable>: Sendable {
  enum Observed: Sendable {
    case value(Element)
    case end
    case failure(any Error)
    case cancellation

    var isLast: Bool {
      switch self {
      case .value, .cancellation: false
      case .end, .failure: true
      }
    }
  }

  typealias Entry = (observed: Observed, instant: Int64)

  private let state = Lock<[Entry]>([])
  private let time: MarbleTime
  private let limit: Int

  /// - Parameter limit: After how many entries the consumer stops.
  init(_ time: MarbleTime, limit: Int) {
    self.time = time
    self.limit = limit
  }

  var entries: [Entry] { state.withLock { $0 } }

  /// Whether nothing will be added.
  var isOver: Bool {
    state.withLock { $0.count >= limit || $0.contains { $0.observed.isLast } }
  }

  /// Adds what happens now, and returns whether more may be added.
  @discardableResult func add(_ observed: Observed) -> Bool {
    let instant = time.now
    return state.withLock { entries in
      guard entries.count < limit else { return false }
      entries.append((observed, instant))
      return entries.count < limit
    }
  }
}

extension MarbleObservation {
  /// Starts a task that consumes the sequence, on the caller's actor.
  func consume<Elements: AsyncSequence>(
    _ elements: Elements, pausing pause: Duration, isolation: isolated (any Actor)?
  ) -> Task<Void, Never> where Elements.Element == Element {
    let clock = time.time
    return Task {
      _ = isolation
      do {
        for try await element in elements {
          guard add(.value(element)) else { return }
          if pause > .zero { try? await clock.sleep(for: pause) }
        }
        add(.end)
      } catch {
        add(.failure(error))
      }
    }
  }
}
