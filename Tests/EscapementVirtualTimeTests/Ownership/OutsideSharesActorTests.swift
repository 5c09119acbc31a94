import EscapementVirtualTime
import Foundation
import TestSupport
import Testing

private actor Station {
  func date() -> Date { Date() }
  func scope() -> VirtualTime.ID? { VirtualTime.current?.id }
  func nap() async throws -> Duration {
    try await measure { try await Task.sleep(for: .milliseconds(1)) }
  }
}

/// An actor that serves all callers, in a task of its own.
private actor Server {
  private var requests: [UnsafeContinuation<Int, Never>] = []
  private var idle: UnsafeContinuation<Void, Never>?
  private(set) var isRunning = false
  private(set) var scope: VirtualTime.ID?

  func start() {
    isRunning = true
    Task {
      scope = VirtualTime.current?.id
      while !Task.isCancelled {
        if requests.isEmpty { await withUnsafeContinuation { idle = $0 } }
        for (number, request) in requests.enumerated() { request.resume(returning: number) }
        requests = []
      }
      isRunning = false
    }
  }

  func ask() async -> Int {
    await withUnsafeContinuation { request in
      requests.append(request)
      idle?.resume()
      idle = nil
    }
  }
}

/// The outside shares an actor with scopes, and does not notice.
@Suite(.virtualStandardClocks) struct OutsideSharesActorTests {
  /// Uses the actor in scopes, one after the other, while the outside uses it as well.
  private func besideScopes(
    _ station: Station, _ outside: @escaping @Sendable () async throws -> Void
  ) async throws {
    let isDone = Flag()
    async let scopes: Void = {
      while !isDone.isSet {
        try await withVirtualTime { _ in
          try await withThrowingTaskGroup { group in
            for _ in 0..<600 { group.addTask { try await station.nap() } }
            try await group.waitForAll()
          }
        }
      }
    }()
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 { group.addTask { try await outside() } }
      try await group.waitForAll()
    }
    isDone.set()
    try await scopes
  }

  @Test func `dates outside stay real`() async throws {
    let (station, start) = (Station(), Date())
    try await besideScopes(station) {
      var wrong = 0
      for _ in 0..<5_000 {
        if await station.date() < start { wrong += 1 }
        await Task.yield()
      }
      #expect(wrong == 0)
    }
  }

  @Test func `code outside is in no scope`() async throws {
    let station = Station()
    try await besideScopes(station) {
      var wrong = 0
      for _ in 0..<5_000 {
        if await station.scope() != nil { wrong += 1 }
        await Task.yield()
      }
      #expect(wrong == 0)
    }
  }

  @Test func `sleeps outside really wait`() async throws {
    let station = Station()
    try await besideScopes(station) {
      for _ in 0..<200 { try #require(try await station.nap() >= .milliseconds(1)) }
    }
  }

  @Test func `a task that an actor starts outside stays outside when a scope feeds it`()
    async throws
  {
    let (server, wanted, started) = (Server(), Signal(), Signal())
    let outside = Task.detached {
      await wanted.wait()
      await server.start()
      started.send()
    }
    try await withVirtualTime { time in
      await time.hold {
        wanted.send()
        await started.wait()
        for _ in 0..<10 { _ = await server.ask() }
      }
    }
    await outside.value
    #expect(await server.scope == nil)
    #expect(await server.isRunning)
  }
}
