// Searching at most twice a second, and testing that without waiting.

import Escapement
import EscapementDoubles
import EscapementTesting
import Testing

@MainActor final class SearchModel {
  var query = "" {
    didSet { limiter.execute { [weak self] in self?.search() } }
  }
  private(set) var searches: [String] = []
  private let limiter: RateLimiter

  init(limiter: RateLimiter = RateLimiter(rate: .milliseconds(500))) {
    self.limiter = limiter
  }

  private func search() { searches.append(query) }
}

@Test @MainActor func `the first and the last query are searched for`() async {
  let launcher = FakePeriodicTaskLauncher()
  let model = SearchModel(limiter: RateLimiter(rate: .milliseconds(500), taskLauncher: launcher))
  model.query = "S"
  model.query = "Sw"
  model.query = "Swift"
  #expect(model.searches == ["S"])
  await launcher.fire()
  #expect(model.searches == ["S", "Swift"])
}
