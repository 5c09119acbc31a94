import EscapementFoundation
import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// On Linux Foundation ignores timeouts for a `URLProtocol`. Its timeouts never count virtual time.

extension Exchange {
  /// Makes the request fail if nothing is sent for the time of the timeout.
  func watch() -> Task<Void, Never> {
    let start = clock.now
    state.withLock { $0.lastActivity = start }
    // 60 seconds is also the default of a request, in which case the timeout of the session counts.
    let timeout = request.timeoutInterval == 60 ? session.requestTimeout : request.timeoutInterval
    let patience = Self.duration(timeout)
    let end = start.advanced(by: Self.duration(session.resourceTimeout))
    return Task(name: "Timeout of a stubbed request") { [self] in
      while let last = state.withLock({ $0.isOver ? nil : $0.lastActivity }) {
        let deadline = min(last.advanced(by: patience), end)
        if deadline <= clock.now { return timeOut() }
        do { try await clock.sleep(until: deadline) } catch { return }
      }
    }
  }

  /// A value that Foundation treats as no timeout, such as zero or infinity, becomes a hundred
  /// years.
  private static func duration(_ timeout: TimeInterval) -> Duration {
    let none = Duration.seconds(100 * 365 * 86_400)
    guard timeout > 0, let duration = try? Duration(timeInterval: timeout) else { return none }
    return min(duration, none)
  }

  private func timeOut() {
    let (task, arrival) = state.withLock { ($0.task, $0.arrival) }
    end { [stubs] client, done in
      if let arrival { stubs.cancelled(arrival) }
      client.fail(URLError(.timedOut), done)
    }
    task?.cancel()
  }
}
