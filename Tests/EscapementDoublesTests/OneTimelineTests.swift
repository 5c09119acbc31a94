import Dispatch
import Escapement
import EscapementDoubles
import EscapementFoundation
import EscapementTesting
import Foundation
import TestSupport
import Testing

/// What waits with a run loop, a queue, a task or a building block shares the time of the scope.
@Suite(.virtualTime) struct OneTimelineTests {
  let log = Log<String>()
  let runLoop = VirtualTimerScheduler()
  let queue = VirtualDispatchQueue()

  @Test(.virtualStandardClocks, .plainOrder, arguments: 0..<24)
  func `equal deadlines of all kinds come in the order in which they were set`(
    permutation: Int
  ) async throws {
    let debouncer = Debouncer(delay: .seconds(1))
    var kinds = ["timer", "asyncAfter", "debouncer", "sleep"]
    var (order, rest) = ([String](), permutation)
    while !kinds.isEmpty {
      order.append(kinds.remove(at: rest % kinds.count))
      rest /= kinds.count + 1
    }
    for kind in order {
      switch kind {
      case "timer":
        runLoop.add(Timer(after: 1) { [log] _ in log.note("timer") }, forMode: .default)
      case "asyncAfter":
        queue.asyncAfter(deadline: .now() + 1) { [log] in log.note("asyncAfter") }
      case "debouncer":
        debouncer.execute { [log] in log.note("debouncer") }
        await VirtualTime.current?.settle()
      default:
        Task {
          try await Task.sleep(for: .seconds(1))
          log.note("sleep")
        }
        await VirtualTime.current?.settle()
      }
    }
    try await Task.sleep(for: .seconds(1))
    await VirtualTime.current?.settle()
    #expect(log.entries == order.map { "1000.0 \($0)" })
  }

  @Test(.virtualStandardClocks, .plainOrder)
  func `dates, deadlines and instants are the same moments`()
    async throws
  {
    let debouncer = Debouncer(delay: .milliseconds(250))
    let start = Date()
    let timer = Timer(after: 0.1, repeats: true) { [log, queue, weak debouncer] timer in
      log.note("timer \(Int((Date().timeIntervalSince(start) * 1000).rounded()))")
      guard Date().timeIntervalSince(start) > 0.25 else { return }
      timer.invalidate()
      debouncer?.execute {
        log.note("debouncer")
        queue.asyncAfter(deadline: .now() + .milliseconds(50)) { log.note("asyncAfter") }
      }
    }
    runLoop.add(timer, forMode: .common)
    queue.asyncAfter(deadline: .now() + .milliseconds(200)) { [log] in log.note("asyncAfter") }
    try await Task.sleep(for: .milliseconds(300))
    log.note("sleep")
    try await Task.sleep(for: .milliseconds(301))
    #expect(
      log.entries == [
        "100.0 timer 100",
        "200.0 asyncAfter", "200.0 timer 200",
        "300.0 timer 300", "300.0 sleep",
        "550.0 debouncer", "600.0 asyncAfter",
      ])
  }
}
