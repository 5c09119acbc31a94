import Foundation
import Synchronization
import Testing

/// The first two versions of a story that goes on in EscapementDoublesTests.
///
/// The subject shows another place after an interval, on the run loop that it is used on.
@Suite struct FeaturedPlaceManagerTests {
  private final class FeaturedPlaceManager: Sendable {
    private let interval: TimeInterval
    private let places = Atomic(0)

    init(interval: TimeInterval = 10) { self.interval = interval }

    var currentPlace: Int { places.load(ordering: .relaxed) }

    func scheduleNextPlace() {
      let timer = Timer.scheduledTimer(withTimeInterval: interval, repeats: false) { [self] _ in
        places.add(1, ordering: .relaxed)
      }
      RunLoop.current.add(timer, forMode: .default)
    }
  }

  /// Runs the run loop of a thread for a time, as a test of such code has to, and if need be until
  /// there is a place; returns it with the time that this really took.
  private func place(
    of manager: FeaturedPlaceManager, after time: TimeInterval, atLeast place: Int
  ) async -> (Int, took: TimeInterval) {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let start = Date()
        manager.scheduleNextPlace()
        repeat { RunLoop.current.run(until: Date() + time) } while manager.currentPlace < place
        continuation.resume(returning: (manager.currentPlace, -start.timeIntervalSinceNow))
      }
    }
  }

  @Test func `version 1: the test runs the run loop, and would have to for 11 seconds`() async {
    // 11 seconds would do; a hundredth of that shows that less does not.
    let (place, took) = await place(of: FeaturedPlaceManager(), after: 0.11, atLeast: 0)
    #expect(place == 0 || took >= 10)
  }

  @Test func `version 2: with a shortened interval the test is faster, and still waits`() async {
    // The delay that the app will use, 10 seconds, is not tested any more.
    let (place, took) = await place(
      of: FeaturedPlaceManager(interval: 0.01), after: 0.11, atLeast: 1)
    #expect(place == 1)
    // The system may set its clock back by a little meanwhile.
    #expect(took >= 0.005)
  }
}
