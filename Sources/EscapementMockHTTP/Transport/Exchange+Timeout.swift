import EscapementFoundation
import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Foundation ignores timeouts for a `URLProtocol` on Linux, and does not know virtual time anywhere.

extension Exchange {
  /// Lets the request fail when nothing has been sent for too long.
  func watch() -> Task<Void, Never> {
    let start = clock.now
    state.withLock { $0.lastActivity = start }
    // Whether a request asks for 60 seconds or does not ask is not to be seen.
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

  /// What Foundation takes for no timeout at all, such as zero or infinity, is longer than any test.
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
