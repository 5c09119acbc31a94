import EscapementTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// A loop that does not mind its cancellation.
private final class StubbornLoop: Sendable {
  enum Nap: CaseIterable { case bare, byNanoseconds, untilInstant }

  private let nap: Nap
  let rounds = Atomic(0)

  init(_ nap: Nap) { self.nap = nap }

  func runForEver(_ isolation: isolated (any Actor)? = #isolation) async {
    while true {
      rounds.add(1, ordering: .relaxed)
      switch nap {
      case .bare: try? await Task.sleep(for: .seconds(1))
      case .byNanoseconds: try? await Task.sleep(nanoseconds: 1_000_000_000)
      case .untilInstant:
        try? await Task.sleep(until: .now + .seconds(1), clock: .continuous)
      }
    }
  }

  /// Waits until the loop has come to rest; returns whether it has within a minute.
  func hasComeToRest() async throws -> Bool {
    var before = 0
    for _ in 0..<300 {
      try await Task.sleep(for: .milliseconds(200))
      let now = rounds.load(ordering: .relaxed)
      if now > 1, now == before { return true }
      before = now
    }
    return false
  }
}

/// Tasks that go on after their scope has ended, because a thread outside has let them.
@Suite(.virtualStandardClocks, .withoutThreadSanitizer, .serialized)
struct LateLeftoverTests {
  private actor Worker {
    func run(_ pipe: ByteQueue, _ loop: StubbornLoop) async {
      _ = pipe.next()
      await loop.runForEver()
    }
  }

  fileprivate enum Place: CaseIterable { case noActor, actor, mainActor }

  @Test(arguments: Place.allCases, StubbornLoop.Nap.allCases)
  fileprivate func `a loop that swallows its cancellation does not use a processor for ever`(
    place: Place, nap: StubbornLoop.Nap
  ) async throws {
    let (pipe, loop) = (ByteQueue(), StubbornLoop(nap))
    try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { _ in
      switch place {
      case .noActor:
        Task {
          _ = pipe.next()
          await loop.runForEver()
        }
      case .actor:
        let worker = Worker()
        Task { await worker.run(pipe, loop) }
      case .mainActor:
        Task { @MainActor in
          _ = await Task.detached { pipe.next() }.value
          await loop.runForEver()
        }
      }
      try await Task.sleep(for: .seconds(1))
    }
    #expect(loop.rounds.load(ordering: .relaxed) == 0)
    pipe.add(1)
    #expect(try await loop.hasComeToRest())
  }

  /// An actor that others use as well, after the scope.
  @globalActor fileprivate actor Everyones {
    static let shared = Everyones()
    static func run(_ pipe: ByteQueue, _ loop: StubbornLoop) async {
      _ = await Task.detached { pipe.next() }.value
      await loop.runForEver(shared)
    }
  }

  @Test(arguments: [1, 4])
  func `loops that swallow their cancellation let go of an actor that others share`(
    loopCount: Int
  ) async throws {
    let (pipe, loops) = (ByteQueue(), (0..<loopCount).map { _ in StubbornLoop(.bare) })
    try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { _ in
      for loop in loops { Task { await Everyones.run(pipe, loop) } }
      try await Task.sleep(for: .seconds(1))
    }
    for _ in loops { pipe.add(1) }
    for loop in loops { #expect(try await loop.hasComeToRest()) }
    try await withVirtualTime { time in
      await Task { @Everyones in }.value
      try await Task.sleep(for: .seconds(1))
      #expect(time.now.offset == .seconds(1))
    }
  }

  @Test func `a task cleans up, also if it has been cancelled`() async throws {
    let pipe = ByteQueue()
    let (steps, step) = AsyncStream.makeStream(of: String.self)
    try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { _ in
      Task {
        _ = pipe.next()
        step.yield("cancelled: \(Task.isCancelled)")
        for _ in 0..<100 { await Task.yield() }
        await MainActor.run { _ = step.yield("on the main actor") }
        step.finish()
      }
      try await Task.sleep(for: .seconds(1))
    }
    pipe.add(1)
    #expect(
      await steps.reduce(into: []) { $0.append($1) } == ["cancelled: true", "on the main actor"])
  }
}
