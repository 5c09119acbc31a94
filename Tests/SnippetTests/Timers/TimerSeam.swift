// Code that adds its timers to a scheduler, and its tests.

import EscapementDoubles
import EscapementFoundation
import EscapementVirtualTime
import Foundation
import Synchronization
import Testing

final class FeaturedPlaceManager: Sendable {
  private let places = Atomic(0)
  var currentPlace: Int { places.load(ordering: .relaxed) }

  func scheduleNextPlace(on timerScheduler: any TimerScheduler = RunLoop.main) {
    let timer = Timer(after: 10) { [self] _ in places.add(1, ordering: .relaxed) }
    timerScheduler.add(timer, forMode: .default)
  }
}

@Test func `the next place is scheduled in ten seconds`() async throws {
  try await withVirtualTime { _ in
    let scheduler = MockTimerScheduler()
    let manager = FeaturedPlaceManager()
    var delay: TimeInterval?
    scheduler.handleAddTimer = { timer in
      delay = timer.fireDate.timeIntervalSinceNow
      timer.fire()
    }
    manager.scheduleNextPlace(on: scheduler)
    #expect(delay == 10)
    #expect(manager.currentPlace == 1)
  }
}

@Test func `the next place is shown after ten seconds`() async throws {
  try await withVirtualTime { time in
    let scheduler = VirtualTimerScheduler()
    let manager = FeaturedPlaceManager()
    manager.scheduleNextPlace(on: scheduler)
    await time.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(manager.currentPlace == 0)
    await time.advance(by: .nanoseconds(1))
    #expect(manager.currentPlace == 1)
  }
}
