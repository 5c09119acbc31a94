/// How many of each item there are, as the warehouse said last.
public actor Stock {
  private var counts: [String: Int] = [:]
  /// How often the warehouse has been asked, and has answered.
  public private(set) var refreshes = 0

  /// Creates a stock of which nothing is known.
  public init() {}

  func refresh(_ counts: [String: Int]) {
    self.counts = counts
    refreshes += 1
  }

  func count(of item: String) -> Int? { counts[item] }
}
