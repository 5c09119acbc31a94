import EscapementTesting
import Foundation
import TestSupport
import Testing

@testable import EscapementVirtualTime

/// Which scopes write their timelines to the folder of the environment.
struct TraceFolderTests {
  private enum Offline: Error {
    case now
    static func fail() throws { throw now }
  }

  private func files(
    failures count: Int, _ body: @Sendable @concurrent () async throws -> Void
  ) async throws -> [String] {
    try await filesWritten {
      let failures = try await failures { try await body() }
      #expect(failures.count == count)
    }
  }

  @Test func `a scope that passes writes none`() async throws {
    let files = try await files(failures: 0) { try await withVirtualTime { _ in } }
    #expect(files == [])
  }

  @Test func `a failed expectation in the body is seen, and reported once`() async throws {
    let files = try await files(failures: 1) {
      try await withVirtualTime { _ in
        let isRight = false
        #expect(isRight)
      }
    }
    #expect(files.count == 2, "\(files)")
    #expect(files.allSatisfy { $0.hasPrefix("EscapementTestingTests-TraceFolderTests.swift-") })
  }

  @Test func `an issue and an error are seen`() async throws {
    let issue = try await files(failures: 1) {
      try await withVirtualTime { _ in
        _ = try await expectMarbles("a|", from: MarbleSequence("b|"))
      }
    }
    #expect(issue.count == 2)
    let error = try await files(failures: 1) {
      try await withVirtualTime { _ in try Offline.fail() }
    }
    #expect(error.count == 2)
  }

  @Test(
    .virtualStandardClocks, .plainOrder(because: "It needs more schedules."),
    .expecting("replay: .virtualTime(order: .schedule("), .writingTimelines(1),
    .virtualTime(order: .exploring(100)))
  func `an explored test that fails writes the run that is reported`() async {
    actor Account {
      private(set) var balance = 0
      func set(_ balance: Int) { self.balance = balance }
    }
    let account = Account()
    await withTaskGroup { group in
      for _ in 0..<2 { group.addTask { await account.set(account.balance + 1) } }
    }
    let balance = await account.balance
    #expect(balance == 2)
  }

  @Test(
    .virtualStandardClocks, .expecting("under each schedule"), .writingTimelines(1),
    .virtualTime(order: .exploring(20)))
  func `an explored test that fails under each schedule writes one run`() {
    Issue.record("under each schedule")
  }
}

/// Expects that a test writes so many timelines.
private struct WritingTimelines: TestTrait, TestScoping {
  let count: Int

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let files = try await filesWritten(by: function)
    #expect(files.count == 2 * count, "\(files)")
  }
}

extension Trait where Self == WritingTimelines {
  fileprivate static func writingTimelines(_ count: Int) -> Self { Self(count: count) }
}

/// The names of the files that are written while a body runs.
private func filesWritten(
  by body: @Sendable @concurrent () async throws -> Void
) async throws -> [String] {
  let path = FileManager.default.temporaryDirectory.path + "/\(UUID())"
  defer { try? FileManager.default.removeItem(atPath: path) }
  let folder = TraceFolder { $0 == "ESCAPEMENT_TRACE" ? path : nil }
  try await TraceFolder.$current.withValue(folder) { try await body() }
  return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
}
