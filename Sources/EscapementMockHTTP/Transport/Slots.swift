import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A subclass of `MockURLProtocol` that one session uses.
///
/// A session has only the classes of its protocols, and asks them whether they accept a request. On
/// Linux nothing else connects a request to its session.
struct Slot: Sendable {
  let protocolClass: MockURLProtocol.Type
}

/// The slots of all sessions.
final class Slots: Sendable {
  static let shared = Slots()

  private struct State {
    var sessions: [ObjectIdentifier: WeakSession] = [:]
    var free: [Slot] = []
    var count = 0
  }

  private struct WeakSession {
    weak var session: StubbedSession?
  }

  private let state = Lock(State())

  func take() -> Slot {
    state.withLock { state in
      if let slot = state.free.popLast() { return slot }
      state.count += 1
      return Slot(protocolClass: Self.makeClass(state.count))
    }
  }

  func set(_ session: StubbedSession, for slot: Slot) {
    let session = WeakSession(session: session)
    state.withLock { $0.sessions[ObjectIdentifier(slot.protocolClass)] = session }
  }

  func giveBack(_ slot: Slot) {
    state.withLock { state in
      state.sessions[ObjectIdentifier(slot.protocolClass)] = nil
      state.free.append(slot)
    }
  }

  func session(of protocolClass: MockURLProtocol.Type) -> StubbedSession? {
    state.withLock { $0.sessions[ObjectIdentifier(protocolClass)]?.session }
  }

  // MARK: - Numbered classes

  /// Makes a new class from a number, whose binary digits are types.
  private static func makeClass(_ number: Int) -> MockURLProtocol.Type {
    var digits: any Digits.Type = NoDigits.self
    var rest = number
    while rest > 0 {
      digits = append(rest & 1 == 1, to: digits)
      rest >>= 1
    }
    return protocolClass(for: digits)
  }

  private static func append<D: Digits>(_ digit: Bool, to digits: D.Type) -> any Digits.Type {
    digit ? One<D>.self : Zero<D>.self
  }

  private static func protocolClass<D: Digits>(for digits: D.Type) -> MockURLProtocol.Type {
    NumberedURLProtocol<D>.self
  }
}

private protocol Digits: SendableMetatype {}
private enum NoDigits: Digits {}
private enum Zero<Rest: Digits>: Digits {}
private enum One<Rest: Digits>: Digits {}

private final class NumberedURLProtocol<Number: Digits>: MockURLProtocol {}
