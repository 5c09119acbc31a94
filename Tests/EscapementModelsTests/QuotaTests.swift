import Escapement
import EscapementModels
import EscapementTesting
import TestSupport
import Testing

/// Permits of a bucket, of which some are taken and others are waited for.
@Suite(.virtualStandardClocks) struct QuotaTests {
  /// A bucket of two permits, which gets one each 100 ms.
  struct Bucket: Model {
    enum Call {
      case take
      /// Waits at most 150 ms, until it is cancelled.
      case wait
    }

    enum Answer: Hashable {
      case granted(at: Duration)
      case refused(at: Duration)
      /// No permit was taken.
      case cancelled
    }

    /// When the bucket is full.
    var isFullAt: Duration = .zero

    func answer(to call: Call) -> Answer { .cancelled }

    mutating func allows(_ answer: Answer, to call: Call) -> Bool {
      switch answer {
      case .cancelled: return true
      case .refused(let instant): return isFullAt > instant + .milliseconds(100)
      case .granted(let instant):
        guard isFullAt <= instant + .milliseconds(100) else { return false }
        isFullAt = max(isFullAt, instant) + .milliseconds(100)
        return true
      }
    }
  }

  @Test func `a quota limiter grants what its bucket has, and loses nothing`() async throws {
    let report = try await withExploration(rounds(100)) { time in
      let limiter = try QuotaLimiter(
        .tokenBucket(capacity: 2, refill: 1, every: .milliseconds(100)))
      await expectLinearizable(Bucket(), each: 6, restingFor: .milliseconds(50)) { random in
        Bool.random(using: &random) ? .wait : .take
      } perform: { call, _ in
        switch call {
        case .take:
          let isAllowed = limiter.tryAcquire().isAllowed
          return isAllowed ? .granted(at: time.now.offset) : .refused(at: time.now.offset)
        case .wait:
          let waiting = Task { try await limiter.acquire() }
          let alarm = Task {
            try await Task.sleep(for: .milliseconds(150))
            waiting.cancel()
          }
          defer { alarm.cancel() }
          guard case .success = await waiting.result else { return .cancelled }
          return .granted(at: time.now.offset)
        }
      }
    }
    #expect(report.failure == nil, "\(report)")
  }
}
