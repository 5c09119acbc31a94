import EscapementVirtualTime
import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Passes an answer to Foundation. Time stands meanwhile.

extension Exchange {
  /// Sends parts of the answer, and returns after they have been sent.
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

  /// Sends the last part of the answer.
  ///
  /// Does not wait until it has been sent.
  func end(
    _ parts: [LoadingClient.Part] = [],
    _ last: @escaping @Sendable (LoadingClient, _ done: @escaping @Sendable () -> Void) -> Void
  ) {
    // The hold ends after the client has been resumed. If this task waited for that, it could
    // outlive the test and count as a leftover.
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

  /// Ends the hold after the client has got the answer.
  func handBack(_ hold: TimeHold?) {
    guard let time, let hold else { return }
    if let source = state.withLock({ $0.takeExternalSource() }) { time.dismiss(source) }
    // The queue calls delegates and completion handlers. An `async` caller has already been
    // resumed.
    if let queue = session.urlSession?.delegateQueue {
      queue.addOperation { hold.end() }
    } else {
      hold.end()
    }
  }

  func fail(_ error: any Error) {
    // The task was cancelled by Foundation, which has told the client, or by the end of the scope.
    let error = error is CancellationError ? URLError(.cancelled) : error
    end { $0.fail(error, $1) }
  }
}
