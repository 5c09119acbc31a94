import EscapementTesting
import Foundation
import PointsOfInterest
import TestSupport
import Testing

@testable import poi

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@MainActor
@Suite(.virtualTime) struct LiveRunTests {
  private let output = Output()

  @Test func `a run ends after its time, with a summary`() async throws {
    try await run(Loader([place("Inn", .hotel), place("Café", .cafe)]), for: .seconds(25))
    #expect(
      output.messages == [
        "loading the places", "2 open", "    0 m  Café, cafe", "    0 m  Inn, hotel",
        "    0 m  Café, cafe",
        "2 places, 2 rotations, 1 refresh in 25 s",
      ])
  }

  @Test func `an interruption ends a run, with a summary`() async throws {
    let (interruptions, interrupt) = AsyncStream.makeStream(of: Void.self)
    let interrupting = Task {
      try await Task.sleep(for: .seconds(12))
      interrupt.yield()
    }
    try await run(Loader([place("Inn", .hotel)]), for: nil, interruptions)
    #expect(output.messages.last == "1 place, 0 rotations, 1 refresh in 12 s")
    try await interrupting.value
  }

  @Test func `a run whose places cannot be loaded tells its attempts, and fails`() async {
    let start = ContinuousClock.now
    let failure = await #expect(throws: LoadingFailure.self) {
      try await run(Loader(failures: [0, 1, 2, 3]), for: .seconds(3600))
    }
    #expect(
      failure?.description
        == "the places cannot be loaded: no server answers at this address (4 attempts)")
    #expect(
      output.messages == ["loading the places"]
        + [1, 2, 4].map { "the places cannot be loaded, next attempt in \($0) s" })
    #expect(start.duration(to: .now) == .seconds(7))
  }

  @Test func `a later failure does not end a run`() async throws {
    let loader = Loader([place("Inn", .hotel)], failures: [1, 2, 3, 4])
    try await run(loader, for: .seconds(1000))
    #expect(
      output.messages.suffix(4) == [
        "could not refresh: no server answers at this address (4 attempts)", "1 open",
        "    0 m  Inn, hotel", "1 place, 0 rotations, 2 refreshes, 1 failed in 1,000 s",
      ])
  }

  @Test func `a run with stored places goes on without a server`() async throws {
    let loader = Loader(failures: [0, 1, 2, 3])
    let store = MemoryPlaceStore([place("Inn", .hotel)])
    try await run(loader, store, for: .seconds(10))
    #expect(
      output.messages.prefix(3) == [
        "1 open, as stored", "    0 m  Inn, hotel", "loading the places",
      ])
    #expect(
      output.messages.suffix(4) == [
        "could not refresh: no server answers at this address (4 attempts)", "1 open",
        "    0 m  Inn, hotel", "1 place, 0 rotations, 1 refresh, 1 failed in 10 s",
      ])
  }

  @Test func `a terminal counts the seconds of loading until its end`() async throws {
    let loader = StubPlaceLoader([place("Inn", .hotel)])
    loader.delay = .milliseconds(2500)
    var progress = ""
    var run = makeRun(loader, for: .seconds(10))
    run.writeProgress = { progress += $0.replacing(ProgressBar.erasure, with: "|") }
    try await run.untilEnd()
    #expect(progress == "\rloading, 1 s\rloading, 2 s|")
  }

  @Test func `a run that hosts tests does nothing by itself`() async throws {
    var run = makeRun(Loader([place("Inn", .hotel)]), for: .seconds(10))
    run.isHostingTests = true
    try await run.untilEnd()
    #expect(output.messages == ["0 places, 0 rotations, 0 refreshes in 10 s"])
  }

  private func run(
    _ loader: Loader, _ store: MemoryPlaceStore? = nil, for length: Duration?,
    _ interruptions: AsyncStream<Void> = AsyncStream { _ in }
  ) async throws {
    try await makeRun(loader, store, for: length, interruptions).untilEnd()
  }

  private func makeRun(
    _ loader: any PlaceLoader, _ store: MemoryPlaceStore? = nil, for length: Duration?,
    _ interruptions: AsyncStream<Void> = AsyncStream { _ in }
  ) -> LiveRun {
    LiveRun(
      loader: loader, store: store, length: length, returns: AsyncStream { _ in },
      interruptions: interruptions, write: { output.text += $0 }, isHostingTests: false)
  }
}

@MainActor private final class Output {
  var text = ""

  /// The lines without their times of day.
  var messages: [String] {
    text.split(separator: "\n").map { line in
      line.prefixMatch(of: /[0-9]{2}:[0-9]{2}:[0-9]{2}/) == nil
        ? String(line) : String(line.dropFirst(10))
    }
  }
}

/// A loader some of whose calls fail.
@MainActor private final class Loader: PlaceLoader {
  private let found: [Place]
  private let failures: Set<Int>
  private var calls = 0

  init(_ found: [Place] = [], failures: Set<Int> = []) {
    (self.found, self.failures) = (found, failures)
  }

  @MainActor func places() async throws -> [Place] {
    defer { calls += 1 }
    if failures.contains(calls) { throw URLError(.cannotConnectToHost) }
    return found
  }
}
