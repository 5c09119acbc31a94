import EscapementDoubles
import Testing

@Suite struct CallLogTests {
  @Test func `calls of several spies are recorded in their order, with their arguments`() {
    let log = CallLog()
    let load = Spy<Int, Void, Never>("load(id:)", log: log)
    let close = Spy<Void, Void, Never>("close()", log: log)
    load(7)
    close()
    load(8)
    #expect(log.names == ["load(id:)", "close()", "load(id:)"])
    #expect(log.calls.map(\.description) == ["load(id:) 7", "close()", "load(id:) 8"])
    #expect(log.calls.map { $0.input as? Int } == [7, nil, 8])
  }

  @Test func `a new log is empty`() { #expect(CallLog().calls.isEmpty) }
}
