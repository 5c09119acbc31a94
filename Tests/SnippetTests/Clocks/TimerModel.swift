// A model with a timer, and its test with a test clock.

import EscapementClocks
import EscapementTesting
import Testing

@MainActor
final class TimerModel {
  private(set) var secondsElapsed = 0
  private let clock: any Clock<Duration>
  private var timer: Task<Void, Never>?

  init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
  }

  func start() {
    timer = Task {
      for await _ in clock.timer(interval: .seconds(1)) {
        secondsElapsed += 1
      }
    }
  }

  func stop() {
    timer?.cancel()
  }
}

@Test(.virtualTime) @MainActor
func `the timer counts seconds`() async throws {
  let clock = TestClock()
  let model = TimerModel(clock: clock)

  model.start()
  await clock.advance(by: .seconds(5))
  #expect(model.secondsElapsed == 5)

  model.stop()
  await clock.advance(by: .seconds(5))
  #expect(model.secondsElapsed == 5)
  try await clock.checkSuspension()
}
