import Foundation
import Testing
import _EscapementCore

@testable import EscapementMockHTTP

@Suite struct StubTableStateMachineTests {
  private let request = HTTPStub.Request(.get, URL(string: "https://example.com/a")!)

  private func entry(_ path: String) throws -> StubEntry {
    StubEntry(
      .get, path, try PathPattern(path), [], { _ in .status(200) },
      at: _EscapementCore.SourceLocation(
        fileID: #fileID, filePath: #filePath, line: #line, column: #column))
  }

  @Test func `stubs get numbers in the order in which they are added`() throws {
    var table = StubTableStateMachine()
    let ids = try ["/a", "/b"].map { table.add(try entry($0)).id }
    #expect(ids == [0, 1])
    #expect(table.entries.map(\.text) == ["/a", "/b"])
  }

  @Test func `a stub with the same conditions is refused and matches no request`() throws {
    var table = StubTableStateMachine()
    _ = table.add(try entry("/a"))
    let (id, refusal) = table.add(try entry("/a"))
    #expect(refusal?.contains("the same requests as GET /a") == true)
    #expect(table.entries[id].pattern == nil)
  }

  @Test func `a stub that is added after the table was closed is refused with the reason`() throws {
    var table = StubTableStateMachine()
    table.close("The server has stopped.")
    let refusal = table.add(try entry("/a")).refusal
    #expect(refusal == "The stub GET /a was added too late. The server has stopped.")
  }

  @Test func `a call takes the next answer and records the request at its stub`() throws {
    var table = StubTableStateMachine()
    let a = table.add(try entry("/a")).id
    let b = table.add(try entry("/b")).id
    table.change(a) { $0.limitLastAnswer(to: 1) }
    let answered = (0..<2).map { _ in table.call(a, request) != nil }
    #expect(answered == [true, false])
    #expect(table.calls[a].count == 1)
    #expect(table.calls[b].isEmpty)
  }

  @Test func `each stub that was never called fails once`() throws {
    var table = StubTableStateMachine()
    _ = table.add(try entry("/a"))
    let called = table.add(try entry("/b")).id
    _ = table.call(called, request)
    let counts = (0..<2).map { _ in table.unkeptPromises().count }
    #expect(counts == [1, 0])
  }

  @Test func `the journal has all requests in the order of their arrival`() {
    var table = StubTableStateMachine()
    let other = HTTPStub.Request(.get, URL(string: "https://example.com/b")!)
    table.arrived(request)
    table.arrived(other)
    #expect(table.journal.map(\.path) == ["/a", "/b"])
  }
}
