public import AsyncHTTPClient
public import Escapement
import EscapementHTTPClient
import NIOHTTP1

/// Takes orders, and asks the warehouse for the goods.
///
/// It survives a warehouse that is slow and a store that is lost. The two packers of the shop pack an order in ten
/// seconds.
public struct OrderDesk: Sendable {
  /// The answer to a customer.
  public enum Answer: String, Sendable {
    case sent
    /// The warehouse does not answer, so the order is sent another day.
    case later
  }

  private let warehouse: ResilientHTTPClient
  private let address: String
  private let quota: SharedQuotaLimiter<ContinuousClock>

  /// Creates a desk.
  ///
  /// - Parameters:
  ///   - client: The client for the warehouse.
  ///   - address: The address of the warehouse.
  ///   - store: The store that all shops share. The warehouse takes 1,000 orders an hour of all of them.
  ///   - onEvent: Called for each event of a block, with its name.
  public init(
    _ client: HTTPClient, warehouse address: String, store: some SharedStore,
    onEvent: @escaping @Sendable (_ block: String, BlockEvent) -> Void
  ) throws {
    var policy = HTTPClientPolicy()
    policy.timeout = .seconds(8)
    policy.attemptTimeout = .seconds(2)
    policy.circuitBreaker = .failures(5, ofLast: 10, openFor: .seconds(60))
    policy.onEvent = { _, event in onEvent("warehouse", event) }
    warehouse = try ResilientHTTPClient(client, policy: policy)
    self.address = address
    quota = try SharedQuotaLimiter(
      .slidingWindow(limit: 1_000, per: .seconds(3_600)), name: "orders", store: store,
      whenUnavailable: .localShare(processes: 4), onEvent: { _, event in onEvent("quota", event) })
  }

  /// Takes an order, and packs it if the warehouse has the goods.
  func take(_ order: String) async throws -> Answer {
    try await quota.acquire()
    let answer = try await withFallback {
      var request = HTTPClientRequest(url: "\(address)/goods/\(order)")
      request.method = .POST
      request.headers.add(name: "Idempotency-Key", value: order)
      let response = try await warehouse.execute(request, collectingUpTo: 1_000)
      return response.status == .ok ? Answer.sent : .later
    } fallback: { _ in
      .later
    }
    if answer == .sent { try await Task.sleep(for: .seconds(10)) }
    return answer
  }
}
