import Dispatch
import Foundation
import TestSupport
import Testing

@testable import EscapementVirtualTime

struct TimelineTests {
  private static let recording = VirtualTimeOptions(recordsTimeline: true)

  /// The steps of a body as text, with tasks by their names or as `task`.
  private func steps(
    _ options: VirtualTimeOptions = recording,
    _ body: @escaping @Sendable (VirtualTime) async throws -> Void
  ) async throws -> [String] {
    var timeline = try await #require(
      withVirtualTime(options) { time in
        try await body(time)
        return time.timeline
      })
    timeline.origins = TaskOrigins()
    return timeline.text(last: .max).split(separator: "\n").map { line in
      String(line).replacing(#/task \d+ “(?<name>\w+)”/#) { String($0.output.name) }
        .replacing(#/task \d+/#, with: "task").replacing(#/ +/#, with: " ")
    }
  }

  @Test func `a scope that does not record has no timeline`() async throws {
    #expect(try await withVirtualTime { $0.timeline?.stepCount } == nil)
  }

  @Test func `a sleep of the body`() async throws {
    #expect(
      try await steps { try await $0.sleep(for: .seconds(2)) }.suffix(4)
        == [
          "+0.0 seconds the body sleeps until +2.0 seconds", "+2.0 seconds the body wakes",
          "+2.0 seconds the body can run", "+2.0 seconds the body runs",
        ])
  }

  @Test func `a task is created by one, named, and made ready by another`() async throws {
    let steps = try await steps { time in
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      let receiver = Task(name: "receiver") {
        for await _ in stream { break }
        try await time.sleep(for: .seconds(1))
      }
      let sender = Task(name: "sender") {
        try await time.sleep(for: .seconds(3))
        continuation.yield()
      }
      try await receiver.value
      try await sender.value
    }
    #expect(steps.contains("+0.0 seconds the body creates receiver"))
    #expect(steps.contains("+0.0 seconds sender sleeps until +3.0 seconds"))
    #expect(steps.contains("+3.0 seconds sender makes receiver ready"))
    #expect(steps.contains("+3.0 seconds receiver sleeps until +4.0 seconds"))
  }

  @Test func `a cancelled sleep says who has cancelled it`() async throws {
    let steps = try await steps { time in
      let task = Task(name: "sleeper") { try await time.sleep(for: .seconds(3)) }
      try await time.sleep(for: .seconds(1))
      task.cancel()
    }
    #expect(steps.contains("+1.0 seconds the sleep of sleeper is cancelled, by the body"))
    #expect(!steps.contains("+3.0 seconds sleeper wakes"))
  }

  #if os(Linux)
    @Test(.virtualStandardClocks)
    func `a task without a name has that of the function in which it begins`() async throws {
      let line = #line + 2
      struct PriceCache {
        func refresh() -> Task<Void, any Error> { Task { try await Task.sleep(for: .seconds(1)) } }
      }
      let timeline = try await #require(
        withVirtualTime(Self.recording) { time in
          try await PriceCache().refresh().value
          return time.timeline
        })
      #expect(timeline.text().contains(#/seconds  PriceCache\.refresh · task \d+ wakes\n/#))
      #expect(timeline.chromeTrace.contains(#/"PriceCache\.refresh · task \d+"/#))
      let page = timeline.html()
      #expect(page.contains("\"PriceCache.refresh:\(line) · task "), "\(page)")
      let place = "closure in PriceCache.refresh() TimelineTests.swift:\(line)"
      #expect(page.contains("\"\(place)\":[\(line),\(line - 3),["), "\(page)")
    }
  #endif

  @Test func `holds and moves by hand`() async throws {
    var options = Self.recording
    options.mode = .manual
    let steps = try await steps(options) { time in
      await time.hold {}
      await time.advance(by: .seconds(1))
    }
    #expect(steps.contains("+0.0 seconds the body holds time"))
    #expect(steps.contains("+0.0 seconds the body holds time no longer"))
    #expect(steps.contains("+0.0 seconds the body moves time by hand"))
  }

  @Test(.virtualStandardClocks) func `a sleep of a standard clock`() async throws {
    let steps = try await steps { _ in try await Task.sleep(for: .seconds(2)) }
    #expect(steps.contains("+0.0 seconds the body sleeps until +2.0 seconds"))
    #expect(steps.contains("+2.0 seconds the body wakes"))
  }

  @Test(.virtualStandardClocks) func `tasks run on the main actor and on others`() async throws {
    actor Store {
      var count = 0
      // A task that is created here begins on the actor.
      func load() async { await Task { count += 1 }.value }
    }
    let steps = try await steps { _ in
      await Task { @MainActor in await Task.yield() }.value
      await Store().load()
    }
    #expect(steps.contains("+0.0 seconds task runs on the main actor"), "\(steps)")
    #expect(steps.contains("+0.0 seconds task runs on actor 1 “Store”"), "\(steps)")
  }

  @Test(.virtualStandardClocks) func `actors of two types are two, wherever they are in memory`()
    async throws
  {
    actor First { func run() async { await Task { _ = self }.value } }
    actor Second { func run() async { await Task { _ = self }.value } }
    let steps = try await steps { _ in
      for _ in 0..<3 {
        await First().run()
        await Second().run()
      }
    }
    let actors = Set(steps.compactMap { $0.firstMatch(of: #/on actor \d+ “(\w+)”/#)?.output.1 })
    #expect(actors == ["First", "Second"], "\(steps)")
  }

  @Test(.virtualStandardClocks) func `a cancelled sleep of a standard clock`() async throws {
    let steps = try await steps { time in
      let task = Task { try await Task.sleep(for: .seconds(3)) }
      try await time.sleep(for: .seconds(1))
      task.cancel()
    }
    #expect(
      steps.contains("+1.0 seconds the sleep of task is cancelled, by the body"), "\(steps)")
  }

  @Test(.virtualStandardClocks) func `sleeps that are cancelled at the end add no steps of others`()
    async throws
  {
    var options = Self.recording
    options.leftovers = .ignore
    let recorder = TimelineRecorder()
    options.recorder = recorder
    try await withVirtualTime(options) { time in
      for _ in 0..<5 { Task(name: "sleeper") { try await Task.sleep(for: .seconds(9)) } }
      await time.settle()
    }
    let steps = recorder.timeline.text(last: .max).split(separator: "\n")
    let cancellations = steps.filter { $0.contains("cancel") }
    #expect(cancellations.count == 5)
    #expect(steps.suffix(10).allSatisfy { $0.contains("sleeper") }, "\(steps)")
  }

  @Test(.virtualStandardClocks) func `timers and sleeps of queues are no sleeps of tasks`()
    async throws
  {
    let steps = try await steps { _ in
      await withCheckedContinuation { done in
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
          usleep(1_000)
          done.resume()
        }
      }
    }
    #expect(!steps.contains { $0.contains("sleeps") }, "\(steps)")
    #expect(steps.contains("+1.001 seconds the body can run"), "\(steps)")
  }

  /// What is reported of a scope whose body is stuck after seven seconds.
  private func reportOfStuckScope(
    _ wait: @escaping @Sendable () async -> Void
  ) async throws -> String {
    var options = Self.recording
    options.stallLimit = .milliseconds(20)
    let issues = await issues {
      try? await withVirtualTime(options) { time in
        try await time.sleep(for: .seconds(7))
        await wait()
      }
    }
    return try #require(issues.first?.message)
  }

  @Test func `the failure of a stuck scope ends with the last steps`() async throws {
    let message = try await reportOfStuckScope {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    #expect(message.contains("\n\nThe last steps in virtual time:\n+0.0 sec"))
    #expect(message.contains("\n+7.0 seconds  the body wakes\n"))
  }

  @Test func `a failure is a step of its task, with its instant`() async throws {
    let recorder = TimelineRecorder()
    var options = Self.recording
    options.recorder = recorder
    try await withVirtualTime(options) { time in
      try await Task(name: "checker") {
        try await time.sleep(for: .seconds(2))
        recorder.fails(TimelineFailure { "It is wrong." })
      }.value
    }
    // What is reported after the end has failed before.
    recorder.fails(TimelineFailure { "It is wrong afterwards." })
    let steps = recorder.timeline.text(last: .max)
    #expect(steps.contains(#/\+2\.0 seconds  task \d+ “checker” fails: It is wrong\.\n/#))
    #expect(!steps.contains("afterwards"))
  }

  @Test func `the error of the body is a step`() async throws {
    struct Offline: Error {}
    let recorder = TimelineRecorder()
    var options = Self.recording
    options.recorder = recorder
    try? await withVirtualTime(options) { _ in throw Offline() }
    #expect(recorder.timeline.text().contains("  the body fails: It throws Offline().\n"))
  }

  @Test func `what the cancelled body does is not among the last steps`() async throws {
    let message = try await reportOfStuckScope {
      for await _ in AsyncStream<Void>.makeStream().stream {}
      for _ in 0..<100 { await Task.yield() }
    }
    #expect(message.contains("\n+7.0 seconds  the body wakes\n"), "\(message)")
  }
}
