import EscapementGRPC
import EscapementTesting
import Foundation
import GRPCCore
import Synchronization
import Testing

/// All calls of a crowd at once, through the interceptors of a client.
@Suite struct CrowdTests {
  /// How many calls come at once: a multiple of 10, set by `ESCAPEMENT_CROWD`.
  private let crowd = sizeOfCrowd(otherwise: 200)

  enum Kind: CaseIterable {
    case bare, breaker, budget, both
  }

  @Test(
    .virtualTime(VirtualTimeOptions(leftovers: .fail, blockLimit: .seconds(600))),
    arguments: Kind.allCases)
  func `of a crowd of calls, each has its answer, and nothing is left`(kind: Kind) async throws {
    let (begun, ended) = (Log<Void>(), Log<Void>())
    let (attempts, ends) = (Log<String>(), Log<Void>())
    let refused = Mutex<Set<String>>([])
    let policy = RetryPolicy(
      maxAttempts: 3, initialBackoff: .seconds(1), maxBackoff: .seconds(1), backoffMultiplier: 1,
      retryableStatusCodes: [.unavailable])
    let budget = try RetryBudget(percent: 0, reserve: crowd)
    let breaker = try CircuitBreakerInterceptor(.failureRate(percent: 90, over: .seconds(10))) {
      switch $1 {
      case .begun: begun.append(())
      case .ended: ended.append(())
      default: break
      }
    }
    var interceptors: [any ClientInterceptor] = []
    if kind == .budget || kind == .both {
      interceptors.append(RetryBudgetInterceptor(budget, for: policy))
    }
    if kind == .breaker || kind == .both { interceptors.append(breaker) }
    var options = CallOptions.defaults
    options.executionPolicy = .retry(policy)
    let limits = options
    try await withCourier(interceptors: interceptors) { parcel in
      attempts.append(parcel)
      defer { ends.append(()) }
      // The server has 100 calls of a connection at a time. The others wait in the client.
      try await Task.sleep(for: .seconds(1))
      // The first attempt for a number with the last digit 7 fails.
      if parcel.hasSuffix("7"), refused.withLock({ $0.insert(parcel).inserted }) {
        throw RPCError(code: .unavailable, message: parcel)
      }
      return parcel
    } _: { client in
      let wrong = await withTaskGroup(of: Bool.self) { calls in
        for number in 0..<crowd {
          calls.addTask {
            (try? await client.deliver("\(number)", options: limits)) != "\(number)"
          }
        }
        return await calls.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(wrong == 0)
    }
    let retries = crowd / 10
    #expect(attempts.count == crowd + retries)
    #expect(ends.count == crowd + retries)
    if kind == .breaker || kind == .both {
      #expect(begun.count == crowd + retries)
      #expect(ended.count == crowd + retries)
      #expect(breaker.breaker(for: Courier.deliver).state == .closed)
    }
    if kind == .budget || kind == .both { #expect(budget.remaining == crowd - retries) }
  }
}
