// A model of a cache, and a test that compares the cache with it.

import EscapementModels
import EscapementTesting
import Testing

private actor Cache {
  private var value = 0

  func perform(_ call: Register.Call) -> Int {
    if case .set(let new) = call { value = new }
    return value
  }
}

struct Register: Model {
  enum Call { case set(Int), get }
  var value = 0

  mutating func answer(to call: Call) -> Int {
    if case .set(let new) = call { value = new }
    return value
  }
}

@Test(.virtualTime(order: .exploring(1_000)))
func `the cache is linearizable`() async {
  let cache = Cache()
  await expectLinearizable(Register(), clients: 3, each: 5) { random in
    Bool.random(using: &random) ? .set(.random(in: 0...3, using: &random)) : .get
  } perform: { call, _ in
    await cache.perform(call)
  }
}
