import EscapementVirtualTime
import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// How an answer gets to Foundation, while time stands.

extension Exchange {
  /// Sends something, and returns when it has been sent.
  func deliver(_ parts: [LoadingClient.Part]) async {
    guard !parts.isEmpty else { return }
    let hold = time?.startHold()
    await withUnsafeContinuation { continuation in
      LoadingQueue.run { [self] in
        if let client = state.withLock({ $0.client }) { client.perform(parts) }
        continuation.resume()
      }
    }
    state.withLock { $0.lastActivity = clock.now }
    hold?.end()
  }

  /// Sends the last of the answer; the caller has nothing left to wait for.
  func end(
    _ parts: [LoadingClient.Part] = [],
    _ last: @escaping @Sendable (LoadingClient, _ done: @escaping @Sendable () -> Void) -> Void
  ) {
    // The hold ends when the client has been resumed. If this task waited for that, it might outlive the
    // test, and count as left over.
    let hold = time?.startHold()
    LoadingQueue.run { [self] in
      let (client, waiter) = state.withLock { $0.end() }
      waiter?.resume()
      guard let client else {
        hold?.end()
        return
      }
      client.perform(parts)
      last(client) { [self] in handBack(hold) }
    }
  }

  /// Lets time go on when the client has the answer.
  func handBack(_ hold: TimeHold?) {
    guard let time, let hold else { return }
    if let outsider = state.withLock({ $0.takeOutsider() }) { time.dismiss(outsider) }
    // A delegate and a completion handler are called on this queue, an `async` caller has been resumed.
    if let queue = session.urlSession?.delegateQueue {
      queue.addOperation { hold.end() }
    } else {
      hold.end()
    }
  }

  func fail(_ error: any Error) {
    // A task is cancelled by Foundation, which has told the client, or at the end of its scope.
    let error = error is CancellationError ? URLError(.cancelled) : error
    end { $0.fail(error, $1) }
  }
}
