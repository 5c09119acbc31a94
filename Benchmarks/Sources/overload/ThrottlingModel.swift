import Escapement
import Synchronization

/// A service in virtual time that gets more calls than it can answer, from a client that throttles.
///
/// It does a thousand units of work in a second. To answer a call takes ten of them, and to reject
/// one takes two.
struct ThrottlingModel {
  private struct Rejected: Error {}

  /// When a client lets calls through.
  enum Rule {
    case always
    case adaptive(multiplier: Double)
    /// `AdaptiveThrottler` of failsafe-go as its documentation describes it: it looks at the calls
    /// that it has let through, of which nine of ten should be accepted, and refuses at most nine
    /// of ten.
    case failsafe
  }

  /// For how long calls count.
  private static let window = Duration.seconds(10)

  private let clock = ModelClock()
  /// It has had nothing to do before.
  private var left = 100.0
  private var latest = Duration.zero
  private var now = Duration.zero
  /// The calls that failsafe-go counts.
  private var counted: [(at: Duration, isAccepted: Bool)] = []

  /// How many calls of a minute the service answers, for each 100 that it can answer.
  mutating func goodput(_ rule: Rule, load: Double) async throws -> Double {
    let (seconds, rate) = (60, Int(100 * load))
    var answers = 0
    let throttle: AdaptiveThrottle<ModelClock>? =
      if case .adaptive(let multiplier) = rule {
        try AdaptiveThrottle(multiplier: multiplier, over: Self.window, clock: clock)
      } else { nil }
    for _ in 0..<seconds * rate {
      now += .seconds(1) / rate
      clock.set(now)
      switch rule {
      case .always: answers += isAnswered() ? 1 : 0
      case .adaptive:
        let isAnswered: Void? = try? await throttle?.run {
          guard self.isAnswered() else { throw Rejected() }
        }
        answers += isAnswered == nil ? 0 : 1
      case .failsafe:
        guard Double.random(in: 0..<1) >= failsafeRefusal() else { continue }
        let isAccepted = isAnswered()
        counted.append((now, isAccepted))
        answers += isAccepted ? 1 : 0
      }
    }
    return Double(answers) / Double(seconds)
  }

  private mutating func isAnswered() -> Bool {
    left = min(100, left + (now - latest) / .milliseconds(1))
    latest = now
    let isAnswered = left >= 10
    left -= isAnswered ? 10 : 2
    return isAnswered
  }

  private mutating func failsafeRefusal() -> Double {
    counted.removeAll { $0.at <= now - Self.window }
    let calls = Double(counted.count)
    let accepted = Double(counted.count { $0.isAccepted })
    return min(0.9, max(0, calls - accepted / 0.9) / (calls + 1))
  }
}

/// A clock that the model sets, and on which nobody sleeps.
private final class ModelClock: Clock {
  private let nanoseconds = Atomic<Int64>(0)

  var now: ContinuousClock.Instant {
    // Only the differences count.
    Self.origin + .nanoseconds(nanoseconds.load(ordering: .relaxed))
  }
  var minimumResolution: Duration { .nanoseconds(1) }

  func set(_ time: Duration) {
    nanoseconds.store(Int64(time / .nanoseconds(1)), ordering: .relaxed)
  }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    preconditionFailure("A throttle does not sleep.")
  }

  private static let origin = ContinuousClock.now
}
