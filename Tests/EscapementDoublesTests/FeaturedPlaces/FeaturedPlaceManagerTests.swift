import EscapementDoubles
import EscapementFoundation
import EscapementTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// The end of a story that begins in RealTimeTests: the run loop is an argument.
@Suite(.virtualTime) struct FeaturedPlaceManagerTests {
  private final class FeaturedPlaceManager {
    private let timerScheduler: any TimerScheduler
    private let places = Counter()

    init(timerScheduler: any TimerScheduler = RunLoop.main) {
      self.timerScheduler = timerScheduler
    }

    var currentPlace: Int { places.count }

    func scheduleNextPlace() {
      let timer = Timer(after: 10) { [places] _ in places.increment() }
      timerScheduler.add(timer, forMode: .default)
    }
  }

  private final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }
    func increment() { value.add(1, ordering: .relaxed) }
  }

  @Test(.virtualStandardClocks)
  func `version 3: with a mock scheduler the test checks the delay without waiting`() {
    let scheduler = MockTimerScheduler()
    var delay: TimeInterval?
    scheduler.handleAddTimer = { timer in
      delay = timer.fireDate.timeIntervalSinceNow
      timer.fire()
    }
    let manager = FeaturedPlaceManager(timerScheduler: scheduler)
    #expect(manager.currentPlace == 0)
    manager.scheduleNextPlace()
    #expect(delay == 10)
    #expect(manager.currentPlace == 1)
  }

  @Test(.virtualStandardClocks)
  func `version 4: in virtual time the test reads as what the user sees`() async throws {
    let scheduler = VirtualTimerScheduler()
    let manager = FeaturedPlaceManager(timerScheduler: scheduler)
    manager.scheduleNextPlace()
    try await Task.sleep(for: .seconds(9))
    #expect(manager.currentPlace == 0)
    try await Task.sleep(for: .seconds(2))
    #expect(manager.currentPlace == 1)
  }
}
