/// Has a price, and tells subscribers of new ones.
package actor PriceFeed {
  package private(set) var price: Int
  private var subscribers: [AsyncStream<Int>.Continuation] = []

  package init(price: Int) { self.price = price }

  package func publish(_ price: Int) {
    self.price = price
    for subscriber in subscribers { subscriber.yield(price) }
  }

  package func changes() -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    subscribers.append(continuation)
    return stream
  }

  /// The price, and all that follow.
  package func prices() -> (price: Int, changes: AsyncStream<Int>) { (price, changes()) }

  package func close() { for subscriber in subscribers { subscriber.finish() } }
}

/// Reads the price and subscribes in two calls: a price that is published in between is missed.
package func racyLatestPrice(
  of feed: PriceFeed, show: @Sendable (Int) -> Void
) async -> Int {
  var latest = await feed.price
  show(latest)
  for await price in await feed.changes() { latest = price }
  return latest
}

/// Does both in one call.
package func fixedLatestPrice(
  of feed: PriceFeed, show: @Sendable (Int) -> Void
) async -> Int {
  var (latest, changes) = await feed.prices()
  show(latest)
  for await price in changes { latest = price }
  return latest
}
