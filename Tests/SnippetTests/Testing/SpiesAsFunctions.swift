// Spies for code that takes functions instead of a protocol.

import EscapementDoubles
import Testing

struct AutoSaver {  // app code
  let load: (Int) async throws -> String
  let save: (String) -> Void

  func copy(_ id: Int) async throws { save(try await load(id)) }
}

@Test func `a copy is saved`() async throws {
  let loads = Spy<Int, String, any Error>("load")
  let saves = Spy<String, Void, Never>("save")
  loads.returns("a note")
  let saver = AutoSaver(load: loads.asyncFunction, save: saves.function)
  try await saver.copy(7)
  #expect(loads.calls == [7])
  #expect(saves.calls == ["a note"])
}
