import EscapementClocks
import Foundation
import Testing
import _EscapementCore

@testable import EscapementDoubles
@testable import EscapementMockHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct SlotsTests {
  private let slots = Slots()

  @Test func `each slot has its own class`() {
    let taken = (0..<1_000).map { _ in slots.take() }
    #expect(Set(taken.map { ObjectIdentifier($0.protocolClass) }).count == 1_000)
  }

  @Test func `a slot that is given back is reused`() {
    let first = slots.take()
    _ = slots.take()
    slots.giveBack(first)
    #expect(slots.take().protocolClass == first.protocolClass)
  }

  @Test func `a class leads to its session until the session is released`() {
    let table = HTTPStubTable(
      unmatched: .fail, verifiesAtEnd: false,
      at: _EscapementCore.SourceLocation(
        fileID: #fileID, filePath: #filePath, line: #line, column: #column))
    let slot = slots.take()
    do {
      let session = StubbedSession(table, .ephemeral)
      slots.set(session, for: slot)
      #expect(slots.session(of: slot.protocolClass) === session)
    }
    #expect(slots.session(of: slot.protocolClass) == nil)
  }

  @Test func `a session without references is released`() {
    weak var session: URLSession?
    let http = MockHTTP()
    do {
      let made = http.makeSession()
      session = made
      #expect(session != nil)
    }
    #expect(session == nil)
  }
}
