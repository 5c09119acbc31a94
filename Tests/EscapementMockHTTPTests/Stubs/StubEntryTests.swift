import Testing
import _EscapementCore

@testable import EscapementMockHTTP

@Suite struct StubEntryTests {
  private func entry(_ path: String = "/", _ matchers: [HTTPStub.Matcher] = []) throws -> StubEntry
  {
    StubEntry(
      .get, path, try PathPattern(path), matchers, { _ in .status(200) },
      at: _EscapementCore.SourceLocation(
        fileID: #fileID, filePath: #filePath, line: #line, column: #column))
  }

  /// The number of calls that get an answer, of `count` calls.
  private func answered(_ entry: inout StubEntry, of count: Int) -> Int {
    (0..<count).count { _ in entry.call() != nil }
  }

  @Test func `an answer without a limit never runs out`() throws {
    var entry = try entry()
    #expect(answered(&entry, of: 5) == 5)
    #expect(!entry.isUsedUp)
  }

  @Test(arguments: 1...3) func `a limited answer is given exactly as often as its limit`(
    limit: Int
  ) throws {
    var entry = try entry()
    entry.limitLastAnswer(to: limit)
    #expect(answered(&entry, of: limit - 1) == limit - 1)
    #expect(entry.unkeptPromise != nil)
    #expect(answered(&entry, of: 2) == 1)
    #expect(entry.unkeptPromise == nil)
    #expect(entry.isUsedUp)
    #expect(entry.callCount == limit)
  }

  @Test func `an answer that is followed by another one is given once`() throws {
    var entry = try entry()
    entry.addAnswer { _ in .status(404) }
    entry.limitLastAnswer(to: 2)
    #expect(answered(&entry, of: 4) == 3)
  }

  @Test func `an optional stub need not be called`() throws {
    var entry = try entry()
    #expect(entry.unkeptPromise?.hasPrefix("The stub GET / was never called.") == true)
    entry.isOptional = true
    #expect(entry.unkeptPromise == nil)
  }

  @Test func `the order of matchers and the names of parameters do not distinguish stubs`() throws {
    let first = try entry("/users/:id", [.query("a"), .header("B", "c")])
    #expect(first.conditions != nil)
    #expect(
      first.conditions == (try entry("/users/:name", [.header("b", "c"), .query("a")])).conditions)
    #expect(first.conditions != (try entry("/users/:id", [.query("a")])).conditions)
    #expect(try entry("/", [.matching("x") { _ in true }]).conditions == nil)
  }
}
