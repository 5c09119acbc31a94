import TestSupport
import Testing
import _EscapementCore

@testable import Escapement

@Suite struct KeyTableTests {
  @Test func `random changes and sweeps have the results of a dictionary`() throws {
    for seed in 0..<20 as Range<UInt64> {
      var generator = SplitMix64(seed: seed)
      var table = KeyTable<Int, Int>()
      var model: [Int: Int] = [:]
      for step in 0..<5_000 {
        let key = Int.random(in: 0..<3_000, using: &generator)
        let hash = KeyTable<Int, Int>.hash(of: key)
        try require(table[key, hash] == model[key], "seed \(seed), step \(step)")
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: (table[key, hash], model[key]) = (nil, nil)
        default: (table[key, hash], model[key]) = (step, step)
        }
        try require(table.count == model.count, "seed \(seed), step \(step)")
      }
      // The steps together visit each key once.
      let steps = table.partCount
      try require(steps > 4, "The table has been split.")
      var visited = 0
      for _ in 0..<steps {
        table.sweep { _ in
          visited += 1
          return true
        }
      }
      try require(visited == model.count, "visited \(visited) of \(model.count), seed \(seed)")
      for _ in 0..<steps { table.sweep { $0.isMultiple(of: 2) } }
      model = model.filter { $0.value.isMultiple(of: 2) }
      try require(table.count == model.count, "after the sweep, seed \(seed)")
      for key in 0..<3_000 {
        let value = table[key, KeyTable<Int, Int>.hash(of: key)]
        try require(value == model[key], "key \(key) after the sweep, seed \(seed)")
      }
    }
  }
}
