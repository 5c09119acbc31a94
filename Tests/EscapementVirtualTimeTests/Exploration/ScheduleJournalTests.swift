import Foundation
import TestSupport
import Testing

@testable import EscapementVirtualTime

@Suite struct ScheduleJournalTests {
  private let directory = NSTemporaryDirectory() + "journals-\(UUID())"

  @Test func `a run that ends leaves only the file of the locks`() throws {
    for _ in 0..<2 {
      let journal = try #require(ScheduleJournal(test: "a", in: directory))
      #expect(journal.interrupted == nil)
      journal.begin()
      journal.note(decision: 1, place: 2)
      journal.end()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["locks"])
    try FileManager.default.removeItem(atPath: directory)
  }

  @Test(.takingTurns, arguments: [SIGTRAP, SIGABRT, SIGKILL, SIGTERM, SIGINT])
  func `a run that kills its process leaves its choices`(signal: Int32) async throws {
    await #expect(processExitsWith: .signal(signal)) {
      [directory = directory as String, signal = signal as Int32] in
      let journal = ScheduleJournal(test: "a", in: directory)
      journal?.begin()
      journal?.note(decision: 9, place: 9)
      journal?.begin()
      journal?.note(decision: 3, place: 1)
      journal?.note(decision: 70_000, place: 2)
      withExtendedLifetime(journal) {
        // Another thread gets it: those of the pool block signals.
        kill(getpid(), signal)
        while true { pause() }
      }
    }
    let other = try #require(ScheduleJournal(test: "b", in: directory))
    #expect(other.interrupted == nil)
    let journal = try #require(ScheduleJournal(test: "a", in: directory))
    // The others come from outside.
    let isItsOwn = [SIGTRAP, SIGABRT].contains(signal)
    #expect(journal.interrupted?.description == (isItsOwn ? "3+1.70000+2" : nil))
    try FileManager.default.removeItem(atPath: directory)
  }

  @Test(.takingTurns) func `a run that was not under way any more did not kill its process`()
    async throws
  {
    await #expect(processExitsWith: .signal(SIGTRAP)) { [directory = directory as String] in
      let journal = ScheduleJournal(test: "a", in: directory)
      journal?.begin()
      journal?.note(decision: 3, place: 1)
      journal?.end()
      withExtendedLifetime(journal) { _ = raise(SIGTRAP) }
    }
    let journal = try #require(ScheduleJournal(test: "a", in: directory))
    #expect(journal.interrupted == nil)
    try FileManager.default.removeItem(atPath: directory)
  }

  @Test func `cases of a test have a journal each`() throws {
    let first = try #require(ScheduleJournal(test: "a", in: directory))
    first.begin()
    let second = try #require(ScheduleJournal(test: "a", in: directory))
    #expect(second.interrupted == nil)
    first.end()
    second.end()
    try FileManager.default.removeItem(atPath: directory)
  }

  #if os(Linux)
    @Test func `a journal keeps no file open`() throws {
      let journals = try (0..<10).map {
        try #require(ScheduleJournal(test: "\($0)", in: directory))
      }
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
      #expect(open.filter { $0.hasPrefix(directory) } == [directory + "/locks"])
      #expect(journals.count == 10)
      try FileManager.default.removeItem(atPath: directory)
    }
  #endif

  @Test(.takingTurns) func `a journal that another process uses is not read`() async throws {
    let journal = try #require(ScheduleJournal(test: "a", in: directory))
    journal.begin()
    journal.note(decision: 9, place: 9)
    await #expect(processExitsWith: .success) { [directory = directory as String] in
      let other = ScheduleJournal(test: "a", in: directory)
      exit(other != nil && other?.interrupted == nil ? 0 : 1)
    }
    journal.end()
    try FileManager.default.removeItem(atPath: directory)
  }
}
