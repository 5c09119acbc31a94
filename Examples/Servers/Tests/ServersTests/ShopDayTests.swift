import Testing

@testable import ShopDay

@Suite struct ShopDayTests {
  @Test func `the shop survives a slow warehouse, ten times the customers and a lost store`()
    async throws
  {
    let log = try await Day().play()
    let answers = (0..<24).map { log.answers(in: $0) }
    for hour in [0, 8, 11, 14, 16, 23] { #expect(answers[hour].keys.sorted() == ["sent"]) }
    // No customer of the slow hour is refused, and the breaker opens.
    #expect(Set(answers[9].keys).isSubset(of: ["sent", "later"]))
    #expect(answers[9]["later", default: 0] > 100)
    #expect(log.slices[9 * 6..<10 * 6].contains { $0.isBreakerOpen })
    #expect(!log.slices[11 * 6..<24 * 6].contains { $0.isBreakerOpen })
    // Two packers pack 720 orders in an hour. The others are refused.
    #expect(answers[12].keys.sorted() == ["503", "sent"])
    #expect(answers[12]["sent", default: 0] >= 648)
    #expect(log.slices[16 * 6..<17 * 6].map(\.storeFailures).reduce(0, +) >= 119)
  }
}
