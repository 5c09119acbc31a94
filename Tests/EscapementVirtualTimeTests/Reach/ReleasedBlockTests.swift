import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

/// Sets a flag when the last reference to it is gone.
private final class Captured: Sendable {
  private let isGone: Flag
  init(_ isGone: Flag) { self.isGone = isGone }
  deinit { isGone.set() }

  /// A block that has the last reference.
  static func inBlock(_ isGone: Flag) -> @Sendable () -> Void {
    let captured = Captured(isGone)
    return { withExtendedLifetime(captured) {} }
  }
}

/// Ways to give a block to libdispatch, which calls it and needs it no more.
private enum WayOfBlock: CaseIterable {
  case async, barrier, later, notification, item
  case registration, registrationOfCancelledSource, cancellation
  case replacedEvent, eventOfCancelledSource, eventOfReleasedSource

  /// Returns when libdispatch needs the block no more; what is returned still lives then.
  func submit(_ block: @escaping @Sendable () -> Void) async throws -> Any? {
    let queue = DispatchQueue(label: "queue")
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    switch self {
    case .async: queue.async(execute: block)
    case .barrier: queue.async(flags: .barrier, execute: block)
    case .later: queue.asyncAfter(deadline: .now() + 1, execute: block)
    case .notification: DispatchGroup().notify(queue: queue, execute: block)
    case .item: queue.async(execute: DispatchWorkItem(block: block))
    case .registration, .registrationOfCancelledSource:
      source.setRegistrationHandler(handler: block)
      if self == .registrationOfCancelledSource { source.cancel() }
    case .cancellation:
      source.setCancelHandler(handler: block)
      source.cancel()
    case .replacedEvent, .eventOfCancelledSource, .eventOfReleasedSource:
      source.setEventHandler(handler: block)
      if self == .replacedEvent { source.setEventHandler {} }
      if self == .eventOfCancelledSource { source.cancel() }
    }
    source.activate()
    try await Task.sleep(for: .seconds(2))
    return self == .eventOfReleasedSource ? nil : source
  }
}

@Suite(.virtualStandardClocks) struct ReleasedBlockTests {
  @Test(arguments: WayOfBlock.allCases)
  fileprivate func `a block that is needed no more is released`(way: WayOfBlock) async throws {
    try await withVirtualTime(.init(queuesAndThreads: .virtual)) { _ in
      let isGone = Flag()
      let rest = try await way.submit(Captured.inBlock(isGone))
      try await Task.sleep(for: .seconds(1))
      #expect(isGone.isSet)
      withExtendedLifetime(rest) {}
    }
  }

  @Test func `a source that is cancelled before it is activated is not registered`() async throws {
    try await withVirtualTime(.init(queuesAndThreads: .virtual)) { _ in
      let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "queue"))
      let log = Log<String>()
      source.setRegistrationHandler { log.append("registered") }
      source.setCancelHandler { log.append("cancelled") }
      source.cancel()
      source.activate()
      try await Task.sleep(for: .seconds(1))
      #expect(log.entries == ["cancelled"])
    }
  }
}
