import EscapementTesting
import _EscapementCore

/// The elements that have been recorded so far, and the tasks that wait for further ones.
///
/// It is `Sendable` even if the elements are not. A centre passes a notification to its observers
/// on the thread that posts it, so a notification crosses threads in any case.
final class RecordedElements<Element>: Sendable {
  private let state = Lock([Element]())
  private let counter = EventCounter()

  var all: [Element] { state.withLock { $0 } }

  var count: Int { state.withLock { $0.count } }

  func append(_ element: Element) {
    state.withLock { $0.append(element) }
    counter.increment()
  }

  /// Suspends until the element with this index has been recorded.
  ///
  /// Returns `nil` if the task is cancelled.
  func element(at index: Int) async -> Element? {
    guard (try? await counter.sleep(until: index + 1)) != nil else { return nil }
    return state.withLock { $0[index] }
  }

  func wait(for count: Int, _ events: String, at location: SourceLocation) async throws {
    try await counter.wait(for: count, events, at: location)
  }
}
