import Foundation
import Testing

@testable import EscapementVirtualTime

@Suite struct FailingSchedulesTests {
  private let folder = NSTemporaryDirectory() + "known-\(UUID())"
  private var sourceFile: String { "\(folder)/SomeTests.swift" }

  private func write(_ text: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/.escapement", withIntermediateDirectories: true)
    try text.write(toFile: "\(folder)/.escapement/schedules", atomically: true, encoding: .utf8)
  }

  @Test func `without a file there are no known schedules`() throws {
    #expect(try FailingSchedules.known(of: "a", beside: sourceFile) == [])
    #expect(try FailingSchedules.known(of: "a", beside: "SomeTests.swift") == [])
  }

  @Test(arguments: ["\n", "\r\n"])
  func `a test has the schedules of its lines, in their order`(lineBreak: String) throws {
    let lines = ["# found in May", "a\t3x2", "", "b\t1", "a\t1.2", "a b\t7"]
    try write(lines.joined(separator: lineBreak))
    let known = { try FailingSchedules.known(of: $0, beside: sourceFile).map(\.description) }
    #expect(try known("a") == ["3x2", "1.2"])
    #expect(try known("b") == ["1"])
    #expect(try known("a\tb") == ["7"])
    #expect(try known("c") == [])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func `lines that failing tests append are known`() throws {
    try write("")
    for schedule in ["5", "6x2"] {
      let failing = FailingSchedule(
        test: "a", schedule: try ExecutionSchedule(parsing: schedule))
      FailingSchedules.append(failing, to: "\(folder)/.escapement/schedules")
    }
    let known = try FailingSchedules.known(of: "a", beside: sourceFile)
    #expect(known.map(\.description) == ["5", "6x2"])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test(arguments: ["a 3x2", "a\t3x", "a\t1\t2"])
  func `a malformed line is refused with its file and number`(line: String) throws {
    try write("# comment\n\(line)\n")
    let error = #expect(throws: FailingSchedules.MalformedLineError.self) {
      try FailingSchedules.known(of: "a", beside: sourceFile)
    }
    #expect(error?.description.hasPrefix("\(folder)/.escapement/schedules:2: ") == true)
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func `a known schedule is tried without any seed`() async throws {
    let test = ExploredTest(
      name: "racy", options: VirtualTimeOptions(), exploring: ExplorationOptions(),
      reporting: ProblemReporter(name: "racy") { _, _ in }, in: sourceFile,
      filter: ReportedFailureFilter.current
    ) { options in
      try await withVirtualTime(options) { _ in
        let order = Order()
        async let first: Void = order.add(1)
        async let second: Void = order.add(2)
        _ = await (first, second)
        struct Overtaken: Error {}
        if await order.entries != [1, 2] { throw Overtaken() }
      }
    }
    #expect(try await test.explore(0).failure == nil)
    let found = try #require(try await test.explore(100).failure?.schedule)
    try write("racy\t\(found)\n")
    #expect(try await test.explore(0).failure?.schedule == found)
    try FileManager.default.removeItem(atPath: folder)
  }
}

private actor Order {
  private(set) var entries: [Int] = []
  func add(_ entry: Int) { entries.append(entry) }
}
