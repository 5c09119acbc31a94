// Tests that draw what a sequence does in the course of time.

import Escapement
import EscapementTesting
import Testing

struct Search {  // app code: searches when the user has not typed for 300 ms
  func queries(_ keys: some AsyncSequence<String, Never> & Sendable) -> AsyncStream<String> {
    AsyncStream { continuation in
      let debouncer = Debouncer(delay: .milliseconds(300))
      let task = Task {
        for await text in keys { debouncer.execute { continuation.yield(text) } }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

@Test(.virtualTime, .virtualClocks)
func `a query is sent when the user has not typed for 300 ms`() async throws {
  let keys = MarbleSequence("a-b-----c", unit: .milliseconds(100))
  let queries = Search().queries(keys)
  try await expectMarbles("-----b-----c-", from: queries, unit: .milliseconds(100))
}

struct Offline: Error {}

@Test(.virtualTime)
func `prices are doubled until the connection is lost`() async throws {
  let prices = MarbleSequence("a-b-#", values: ["a": 10, "b": 20], failure: Offline())
  let doubled = prices.map { $0 * 2 }
  try await expectMarbles("a-b-#", from: doubled, values: ["a": 20, "b": 40], failure: Offline())
}

@Test(.virtualTime)
func `only two pages are loaded`() async throws {
  let pages = MarbleSequence("a-b-c-d|", demand: .onDemand)
  try await expectMarbles("a-(b|)", from: pages.prefix(2))
  #expect(pages.demandCount == 2)
  pages.expectIterations("^-!")
}

@Test(.virtualTime)
func `a timer ends when its task is cancelled`() async throws {
  let ticks = try VirtualTime.required.timer(interval: .milliseconds(2)).map { _ in "t" }
  try await expectMarbles("--t-t(!|)", from: ticks)
}

@Test(.virtualTime)
func `nothing happens for an hour`() async throws {
  let alarms = MarbleSequence("a 1h b")
  var iterator = alarms.makeAsyncIterator()
  #expect(await iterator.next() == "a")
  try await expectNothing(from: &iterator, for: .seconds(3_600))
}

extension Trait where Self == ConditionTrait {
  /// The app code above sleeps on a standard clock.
  static var virtualClocks: Self { .enabled(if: VirtualTime.virtualizesStandardClocks) }
}
