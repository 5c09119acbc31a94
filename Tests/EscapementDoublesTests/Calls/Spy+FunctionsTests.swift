import EscapementDoubles
import EscapementTesting
import TestSupport
import Testing

/// Code that takes functions instead of a protocol.
private struct AutoSaver {
  let save: (String) -> Void

  init(save: @escaping (String) -> Void) { self.save = save }
}

private struct Loader {
  let load: (Int) async throws -> String

  init(load: @escaping (Int) async throws -> String) { self.load = load }
}

@Suite struct SpyFunctionsTests {
  private struct Offline: Error {}

  @Test func `an async test passes a spy to code that takes a function`() async {
    let saves = Spy<String, Void, Never>("save(_:)")
    AutoSaver(save: saves.function).save("a")
    AutoSaver { saves.function($0) }.save("b")
    #expect(saves.calls == ["a", "b"])
  }

  @Test func `the function throws what the spy throws`() async {
    let saves = Spy<String, Void, Offline>("save(_:)")
    saves.throws(Offline())
    let function: (String) throws(Offline) -> Void = saves.function
    #expect(throws: Offline.self) { try function("a") }
  }

  @Test func `the function of a spy without arguments has none`() async {
    let refreshes = Spy<Void, Void, Never>("refresh()")
    let refresh: () -> Void = refreshes.function
    let refreshLater: () async -> Void = refreshes.asyncFunction
    refresh()
    await refreshLater()
    #expect(refreshes.calls.count == 2)
  }

  @Test func `a closure with several arguments passes a tuple`() async {
    let pairs = Spy<(key: String, value: Int), Void, Never>("set(_:_:)")
    let set: (String, Int) -> Void = { pairs.function(($0, $1)) }
    set("a", 1)
    #expect(pairs.calls.map(\.value) == [1])
  }

  @Test(.virtualTime) func `the asynchronous function waits for a handler`() async throws {
    let loads = Spy<Int, String, any Error>("load(id:)")
    loads.handler { id in
      try await VirtualTime.required.sleep(for: .seconds(1))
      return "place \(id)"
    }
    #expect(try await loader(loads).load(7) == "place 7")
    #expect(VirtualTime.current?.now.offset == .seconds(1))
  }

  /// Not `async`, so that `{ try await loads($0) }` would call the variant that is not.
  private func loader(_ loads: Spy<Int, String, any Error>) -> Loader {
    Loader(load: loads.asyncFunction)
  }

  @Test func `the function refuses a handler that suspends, and the message names the other one`() {
    let loads = Spy<Int, String, any Error>("load(id:)")
    loads.handler { id async in "place \(id)" }
    let load = loads.function
    let issues = issues { #expect(throws: UnstubbedCallError.self) { try load(7) } }
    #expect(issues.first?.message.contains("'asyncFunction'") == true)
  }
}
