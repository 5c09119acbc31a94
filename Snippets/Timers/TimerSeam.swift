// Code that adds its timers to a scheduler, and its tests.

// snippet.hide
import EscapementDoubles
import EscapementFoundation
import EscapementVirtualTime
import Foundation
import Synchronization

// snippet.show

// snippet.model
final class FeaturedPlaceManager: Sendable {
  private let places = Atomic(0)
  var currentPlace: Int { places.load(ordering: .relaxed) }

  func scheduleNextPlace(on timerScheduler: any TimerScheduler = RunLoop.main) {
    let timer = Timer(after: 10) { [self] _ in places.add(1, ordering: .relaxed) }
    timerScheduler.add(timer, forMode: .default)
  }
}
// snippet.end

// snippet.mock
func nextPlaceIsScheduledInTenSeconds() async throws {
  try await withVirtualTime { _ in
    let scheduler = MockTimerScheduler()
    let manager = FeaturedPlaceManager()
    var delay: TimeInterval?
    scheduler.handleAddTimer = { timer in
      delay = timer.fireDate.timeIntervalSinceNow
      timer.fire()
    }
    manager.scheduleNextPlace(on: scheduler)
    precondition(delay == 10)
    precondition(manager.currentPlace == 1)
  }
}
// snippet.end

// snippet.virtual
func nextPlaceIsShownAfterTenSeconds() async throws {
  try await withVirtualTime { time in
    let scheduler = VirtualTimerScheduler()
    let manager = FeaturedPlaceManager()
    manager.scheduleNextPlace(on: scheduler)
    await time.advance(by: .seconds(10) - .nanoseconds(1))
    precondition(manager.currentPlace == 0)
    await time.advance(by: .nanoseconds(1))
    precondition(manager.currentPlace == 1)
  }
}
// snippet.end

// snippet.hide
try await nextPlaceIsScheduledInTenSeconds()
try await nextPlaceIsShownAfterTenSeconds()
