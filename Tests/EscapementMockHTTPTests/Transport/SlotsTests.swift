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

  @Test func `every slot has a class of its own`() {
    let taken = (0..<1_000).map { _ in slots.take() }
    #expect(Set(taken.map { ObjectIdentifier($0.protocolClass) }).count == 1_000)
  }

  @Test func `what is given back is used again`() {
    let first = slots.take()
    _ = slots.take()
    slots.giveBack(first)
    #expect(slots.take().protocolClass == first.protocolClass)
  }

  @Test func `a class is found with its session until that is gone`() {
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

  @Test func `a session that nobody keeps is gone`() {
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
