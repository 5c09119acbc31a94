import EscapementDoubles
import EscapementTesting
import TestSupport
import Testing

private struct Offline: Error, Equatable {}

/// All kinds of functions that a protocol may have.
private protocol Service: Sendable {
  func count() -> Int
  func load(id: Int) async throws -> String
  func save(_ value: String, id: Int) throws(Offline)
  func refresh() async
}

private final class MockService: Service {
  let log = CallLog()
  let countSpy: Spy<Void, Int, Never>
  let loadSpy: Spy<Int, String, any Error>
  let saveSpy: Spy<(value: String, id: Int), Void, Offline>
  let refreshSpy: Spy<Void, Void, Never>

  init() {
    countSpy = Spy("count()", log: log)
    loadSpy = Spy("load(id:)", log: log)
    saveSpy = Spy("save(_:id:)", log: log)
    refreshSpy = Spy("refresh()", log: log)
  }

  func count() -> Int { countSpy() }
  func load(id: Int) async throws -> String { try await loadSpy(id) }
  func save(_ value: String, id: Int) throws(Offline) { try saveSpy((value, id)) }
  func refresh() async { await refreshSpy() }
}

@Suite struct SpyTests {
  private let service = MockService()

  @Test func `a call returns the value that was set`() async throws {
    service.countSpy.returns(3)
    service.loadSpy.returns("home")
    #expect(service.count() == 3)
    #expect(try await service.load(id: 1) == "home")
    #expect(try await service.load(id: 2) == "home")
    #expect(service.loadSpy.calls == [1, 2])
  }

  @Test func `a call throws the error that was set`() async {
    service.loadSpy.throws(Offline())
    service.saveSpy.throws(Offline())
    await #expect(throws: Offline()) { try await service.load(id: 1) }
    #expect(throws: Offline()) { try service.save("x", id: 1) }
    #expect(service.loadSpy.calls == [1])
    #expect(service.saveSpy.calls.map(\.value) == ["x"])
  }

  @Test func `a handler may read the calls so far`() throws {
    let spy = Spy<Int, Int, any Error>("double(_:)")
    spy.handler { [unowned spy] number in number * 2 + spy.calls.count }
    #expect(try spy(10) == 21)
    #expect(try spy(10) == 22)
  }

  @Test(.virtualStandardClocks, .virtualTime) func `a handler may sleep`() async throws {
    service.loadSpy.handler { id in
      try await Task.sleep(for: .seconds(3600))
      return "\(id)"
    }
    #expect(try await service.load(id: 7) == "7")
    #expect(VirtualTime.current?.now.offset == .seconds(3600))
  }

  @Test @MainActor func `a handler that is async runs on the caller's isolation`() async throws {
    let spy = Spy<Void, Void, any Error>("f()")
    spy.handler { () async throws in MainActor.assertIsolated() }
    try await spy()
    MainActor.assertIsolated()
  }

  @Test func `a sequence gives its answers one after the other`() async throws {
    service.loadSpy.sequence(
      .throws(Offline()), .returns("second"), .handler { "number \($0)" },
      .handler { id async in await Task { "task \(id)" }.value })
    await #expect(throws: Offline()) { try await service.load(id: 1) }
    #expect(try await service.load(id: 2) == "second")
    #expect(try await service.load(id: 3) == "number 3")
    #expect(try await service.load(id: 4) == "task 4")
  }

  @Test func `the answer that was set last counts`() async throws {
    service.loadSpy.sequence(.returns("a"), .returns("b"))
    #expect(try await service.load(id: 1) == "a")
    service.loadSpy.returns("c")
    #expect(try await service.load(id: 2) == "c")
  }

  @Test func `a function that returns Void needs no answer`() async throws {
    await service.refresh()
    try service.save("x", id: 1)
    #expect(service.refreshSpy.calls.count == 1)
  }

  @Test func `doubles that share a log show the order between them`() async throws {
    service.loadSpy.returns("home")
    await service.refresh()
    _ = try await service.load(id: 7)
    try service.save("home", id: 7)
    #expect(service.log.names == ["refresh()", "load(id:)", "save(_:id:)"])
    #expect(
      service.log.calls.map(\.description) == [
        "refresh()", "load(id:) 7", #"save(_:id:) (value: "home", id: 7)"#,
      ])
    #expect(service.log.calls[1].input as? Int == 7)
  }

  @Test func `a call is recorded before it is answered`() throws {
    let log = CallLog()
    let outer = Spy<Int, Void, any Error>("outer", log: log)
    let inner = Spy<Int, Void, any Error>("inner", log: log)
    outer.handler {
      #expect(outer.calls == [1])
      #expect(log.names == ["outer"])
      try inner($0)
      throw Offline()
    }
    #expect(throws: Offline()) { try outer(1) }
    #expect(log.names == ["outer", "inner"])
    outer.handler { _ in }
  }
}

@Suite struct SpyWithoutAnswerTests {
  @Test func `a call without an answer fails the test at the line of the spy, and throws`() {
    let line = #line + 1
    let spy = Spy<Int, String, any Error>("load(id:)")
    let issues = issues {
      #expect(throws: UnstubbedCallError.self) { try spy(7) }
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.hasPrefix("'load(id:)' was called with 7, but has no") == true)
    #expect(spy.calls == [7])
  }

  @Test func `a call of an async function without an answer fails the test, and throws`() async {
    let issues = await issues {
      let spy = Spy<Void, String, any Error>("load()")
      await #expect(throws: UnstubbedCallError.self) { try await spy() }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.hasPrefix("'load()' was called, but has no answer.") == true)
  }

  @Test func `a call after the end of a sequence fails the test, and throws`() throws {
    let spy = Spy<Int, String, any Error>("load(id:)")
    spy.sequence(.returns("a"), .returns("b"))
    #expect(try [spy(1), spy(2)] == ["a", "b"])
    let issues = issues {
      #expect(throws: UnstubbedCallError.self) { try spy(3) }
    }
    #expect(issues.first?.message.contains("all 2 answers of its sequence") == true)
  }

  @Test func `an async handler of a function that is not async fails the test`() {
    let spy = Spy<Int, Int, any Error>("f")
    spy.handler { number async in number }
    let issues = issues {
      #expect(throws: UnstubbedCallError.self) { try spy(3) }
    }
    #expect(issues.first?.message.contains("by a function that is not 'async'") == true)
  }

  @Test func `a function that cannot throw returns the placeholder`() {
    let spy = Spy<Void, Location, Never>("f", placeholder: Location(latitude: 1, longitude: 2))
    let issues = issues {
      #expect(spy() == Location(latitude: 1, longitude: 2))
    }
    #expect(issues.count == 1)
  }

  @Test func `a function with another type of errors returns a placeholder`() {
    let spy = Spy<Void, Int, Offline>("f")
    let issues = issues { #expect(throws: Never.self) { try spy() } }
    #expect(issues.count == 1)
  }

  @Test(.expecting("'load(id:)' was called with 7"), .doubles)
  func `a call by a foreign thread fails the test that owns the spy`() {
    let spy = Spy<Int, String, any Error>("load(id:)")
    onForeignThread { #expect(throws: UnstubbedCallError.self) { try spy(7) } }
  }
}
