import EscapementTesting
import _EscapementCore

/// What has been recorded so far, and who waits for more.
///
/// Sendable also where the elements are not. A notification is handed to observers on whatever thread
/// posts it, and to be used there is up to who posts; a record changes nothing about that.
final class RecordedElements<Element>: Sendable {
  private let state = Lock([Element]())
  private let counter = EventCounter()

  var all: [Element] { state.withLock { $0 } }

  func append(_ element: Element) {
    state.withLock { $0.append(element) }
    counter.increment()
  }

  /// Suspends until the element with this index has been recorded; `nil` if the task is cancelled.
  func element(at index: Int) async -> Element? {
    guard (try? await counter.sleep(until: index + 1)) != nil else { return nil }
    return state.withLock { $0[index] }
  }

  func wait(for count: Int, _ events: String, at location: SourceLocation) async throws {
    try await counter.wait(for: count, events, at: location)
  }
}
