// Code that takes the class of its timers as an argument, and its test.

import EscapementDoubles
import Foundation
import Synchronization
import Testing

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

@Test func `the manager refreshes when its timer fires`() {
  withMockTimers { timers in
    let manager = TimerManager(timerProvider: MockTimer.self)
    manager.start()
    #expect(timers.last?.timeInterval == 10)
    timers.last?.fire()
    #expect(manager.refreshCount == 1)
  }
}
