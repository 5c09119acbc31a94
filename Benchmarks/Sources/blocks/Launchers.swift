import BenchmarkSupport
import Escapement
import EscapementVirtualTime
import Synchronization

/// Many launchers on one clock, in virtual time, which has nothing to wait for.
///
/// Their intervals differ by up to a millisecond, in no order.
struct Launchers {
  let count: Int
  /// How many seconds a batch lasts: each launcher ticks about once per second.
  let seconds: Int

  @concurrent func measure(_ subject: Subject, batches: Int) async throws -> Measurement {
    let start = subject == .launchers ? startLaunchers : startLoops
    // The standard clocks stay real, to measure with. A million launchers reach the usual limits.
    let options = VirtualTimeOptions(
      mode: .manual, standardClocks: .real, blockLimit: .seconds(600), jobLimit: .max,
      eventLimit: .max)
    return try await withVirtualTime(options) { time in
      let ticks = Ticks()
      let stop = start(time, ticks)
      await time.settle()
      let measurement = await Measurement.of(batches: batches) {
        let before = ticks.count
        await time.advance(by: .seconds(seconds))
        return ticks.count - before
      }
      stop()
      await time.settle()
      return measurement
    }
  }

  private func startLaunchers(_ clock: VirtualTime, _ ticks: Ticks) -> () -> Void {
    let launchers = (0..<count).map { index in
      let launcher = DefaultPeriodicTaskLauncher(clock: clock)
      launcher.every(interval(index)) { ticks.add() }
      launcher.start()
      return launcher
    }
    return { for launcher in launchers { launcher.stop() } }
  }

  /// The same without drift, but with nothing that a launcher has beyond that.
  private func startLoops(_ clock: VirtualTime, _ ticks: Ticks) -> () -> Void {
    let loops = (0..<count).map { index in
      Task {
        let interval = interval(index)
        var next = clock.now
        while true {
          next = next.advanced(by: interval)
          try await clock.sleep(until: next)
          ticks.add()
        }
      }
    }
    return { for loop in loops { loop.cancel() } }
  }

  private func interval(_ index: Int) -> Duration {
    .seconds(1) + .nanoseconds(index &* 2_654_435_761 % 1_000_000)
  }
}

private final class Ticks: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .relaxed) }

  func add() { value.wrappingAdd(1, ordering: .relaxed) }
}
