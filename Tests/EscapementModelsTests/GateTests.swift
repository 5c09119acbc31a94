import Escapement
import EscapementTesting
import TestSupport
import Testing

@testable import EscapementModels

/// Limiters and breakers, which let operations in or refuse them.
///
/// Each operation is two calls: one that enters, and one that leaves.
@Suite(.virtualStandardClocks) struct GateTests {
  /// Lets at most two in.
  struct Room: Model {
    enum Call { case enter, leave }
    var inside = 0

    mutating func answer(to call: Call) -> Bool {
      guard call == .enter else {
        inside -= 1
        return true
      }
      guard inside < 2 else { return false }
      inside += 1
      return true
    }
  }

  @Test func `a concurrency limiter refuses an operation only if as many run as may`() async throws
  {
    let report = try await withExploration(rounds(100)) { _ in
      let limiter = try ConcurrencyLimiter(.fixed(2), maximumWaiting: 0)
      let recorder = HistoryRecorder<Room.Call, Bool>()
      await withTaskGroup { clients in
        for client in 0..<4 {
          clients.addTask(name: "client \(client)") {
            for _ in 0..<3 {
              let entering = recorder.begin(.enter, by: "client \(client)")
              var leaving: Int?
              do {
                try await limiter.run {
                  recorder.end(entering, with: true)
                  await Task.yield()
                  leaving = recorder.begin(.leave, by: "client \(client)")
                }
              } catch {
                recorder.end(entering, with: false)
              }
              if let leaving { recorder.end(leaving, with: true) }
            }
          }
        }
      }
      expectLinearizable(recorder.history, as: Room())
    }
    #expect(report.failure == nil, "\(report)")
  }

  /// A breaker that opens for a second after two failures in a row, and lets one probe through then.
  struct Breaker: Model {
    enum Call: Hashable {
      case enter(client: Int)
      case leave(client: Int, hasFailed: Bool)
    }

    /// Whether an operation was let in, and when it was told; a leaving one always is.
    struct Answer: Hashable {
      let isIn: Bool
      let instant: Duration
    }

    var hasJustFailed = false
    var opensAt: Duration?
    /// Counts the times that it has opened or closed: an operation counts in that of its beginning.
    var period = 0
    var isProbing = false
    var periods: [Int: Int] = [:]

    func answer(to call: Call) -> Answer { Answer(isIn: true, instant: .zero) }

    mutating func allows(_ answer: Answer, to call: Call) -> Bool {
      switch call {
      case .enter(let client):
        let mayEnter = opensAt.map { answer.instant >= $0 && !isProbing } ?? true
        if mayEnter {
          if opensAt != nil, !isProbing { (isProbing, period) = (true, period + 1) }
          periods[client] = period
        }
        return answer.isIn == mayEnter
      case .leave(let client, let hasFailed):
        guard periods.removeValue(forKey: client) == period else { return true }
        if hasFailed, isProbing || hasJustFailed {
          (opensAt, isProbing, period) = (answer.instant + .seconds(1), false, period + 1)
        } else if isProbing {
          (opensAt, isProbing, hasJustFailed, period) = (nil, false, false, period + 1)
        } else {
          hasJustFailed = hasFailed
        }
        return true
      }
    }
  }

  private struct Failure: Error {}

  @Test func `a circuit breaker opens after failures, and closes after a probe`() async throws {
    let report = try await withExploration(rounds(100)) { time in
      let breaker = try CircuitBreaker(.failures(2, ofLast: 2, openFor: .seconds(1)))
      let recorder = HistoryRecorder<Breaker.Call, Breaker.Answer>()
      await withTaskGroup { clients in
        for client in 0..<3 {
          clients.addTask(name: "client \(client)") {
            for round in 0..<6 {
              var random = DrawnNumbers(seed: UInt64(round))
              let (rest, length) = (
                Int.random(in: 0...3, using: &random), Int.random(in: 0...6, using: &random)
              )
              let hasFailed = Bool.random(using: &random)
              try? await Task.sleep(for: .milliseconds(250 * rest))
              let entering = recorder.begin(.enter(client: client), by: "client \(client)")
              var leaving: Int?
              do {
                try await breaker.run {
                  recorder.end(entering, with: Breaker.Answer(isIn: true, instant: time.now.offset))
                  try? await Task.sleep(for: .milliseconds(250 * length))
                  leaving = recorder.begin(
                    .leave(client: client, hasFailed: hasFailed), by: "client \(client)")
                  if hasFailed { throw Failure() }
                }
              } catch is CircuitOpenError {
                recorder.end(entering, with: Breaker.Answer(isIn: false, instant: time.now.offset))
              } catch {}
              if let leaving {
                recorder.end(leaving, with: Breaker.Answer(isIn: true, instant: time.now.offset))
              }
            }
          }
        }
      }
      expectLinearizable(recorder.history, as: Breaker())
    }
    #expect(report.failure == nil, "\(report)")
  }
}
