/// Has a price, and tells subscribers of new ones.
public actor PriceFeed {
  public private(set) var price: Int
  private var subscribers: [AsyncStream<Int>.Continuation] = []

  public init(price: Int) { self.price = price }

  public func publish(_ price: Int) {
    self.price = price
    for subscriber in subscribers { subscriber.yield(price) }
  }

  public func changes() -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    subscribers.append(continuation)
    return stream
  }

  /// The price, and all that follow.
  public func prices() -> (price: Int, changes: AsyncStream<Int>) { (price, changes()) }

  public func close() { for subscriber in subscribers { subscriber.finish() } }
}

/// Reads the price and subscribes in two calls: a price that is published in between is missed.
public func racyLatestPrice(
  of feed: PriceFeed, show: @Sendable (Int) -> Void
) async -> Int {
  var latest = await feed.price
  show(latest)
  for await price in await feed.changes() { latest = price }
  return latest
}

/// Does both in one call.
public func fixedLatestPrice(
  of feed: PriceFeed, show: @Sendable (Int) -> Void
) async -> Int {
  var (latest, changes) = await feed.prices()
  show(latest)
  for await price in changes { latest = price }
  return latest
}
