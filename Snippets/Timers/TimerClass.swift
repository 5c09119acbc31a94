// Code that takes the class of its timers as an argument, and its test.

// snippet.hide
import EscapementDoubles
// snippet.show
import Foundation
// snippet.hide
import Synchronization

// snippet.show

// snippet.model
final class TimerManager: Sendable {
  private let timerProvider: Timer.Type
  private let refreshes = Atomic(0)

  init(timerProvider: Timer.Type = Timer.self) { self.timerProvider = timerProvider }

  var refreshCount: Int { refreshes.load(ordering: .relaxed) }

  func start() {
    _ = timerProvider.scheduledTimer(withTimeInterval: 10, repeats: true) { [self] _ in
      refreshes.add(1, ordering: .relaxed)
    }
  }
}
// snippet.end

// snippet.test
func managerRefreshesWhenItsTimerFires() {
  withMockTimers { timers in
    let manager = TimerManager(timerProvider: MockTimer.self)
    manager.start()
    precondition(timers.last?.timeInterval == 10)
    timers.last?.fire()
    precondition(manager.refreshCount == 1)
  }
}
// snippet.end

// snippet.hide
managerRefreshesWhenItsTimerFires()
