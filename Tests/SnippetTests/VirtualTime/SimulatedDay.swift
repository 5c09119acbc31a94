// A day of a periodic job, in a plain program.

import EscapementVirtualTime
import Foundation
import Testing

/// App code: cleans up every hour, and does not use virtual time.
actor Cleaner {
  private(set) var runs: [Date] = []

  func run() async throws {
    while true {
      runs.append(Date())
      try await Task.sleep(for: .seconds(3600))
    }
  }
}

func simulateADay() async throws -> [Date] {
  let options = VirtualTimeOptions(wallClockStart: Duration.seconds(1_767_225_600))  // 2026-01-01
  return try await withVirtualTime(options) { _ in
    let cleaner = Cleaner()
    let running = Task { try await cleaner.run() }
    try await Task.sleep(for: .seconds(86_399))
    running.cancel()
    return await cleaner.runs
  }
}

@Test func `the cleaner runs 24 times a day`() async throws {
  let runs = try await simulateADay()
  #expect(runs.count == 24)
  #expect(runs.last == Date(timeIntervalSince1970: 1_767_225_600 + 23 * 3600))
}
