import Testing

@testable import EscapementVirtualTime

@Suite struct ExplorationVariablesTests {
  private func read(_ variables: [String: String]) throws -> ExplorationVariables {
    try ExplorationVariables { variables[$0] }
  }

  @Test func `without variables nothing is asked for`() throws {
    let variables = try read([:])
    #expect(variables.request == nil)
    #expect(variables.shard == .all)
    #expect(variables.failures == nil)
  }

  @Test func `the most exact request counts`() throws {
    let all = [
      "ESCAPEMENT_SCHEDULE": "7", "ESCAPEMENT_SEED": "0", "ESCAPEMENT_SEEDS": "1",
    ]
    #expect(try read(all).request == .schedule(ExecutionSchedule(parsing: "7")))
    #expect(
      try read(all.filter { $0.key != "ESCAPEMENT_SCHEDULE" }).request == .seed(0))
    #expect(try read(["ESCAPEMENT_SEEDS": "1"]).request == .seeds(1))
    #expect(try read(["ESCAPEMENT_SCHEDULE": ""]).request == .schedule(.plain))
    #expect(try read(["ESCAPEMENT_SEED": "18446744073709551615"]).request == .seed(.max))
  }

  @Test(arguments: [
    ("ESCAPEMENT_SEED", "-1"), ("ESCAPEMENT_SEED", ""), ("ESCAPEMENT_SEED", "x"),
    ("ESCAPEMENT_SEEDS", "0"), ("ESCAPEMENT_SEEDS", "-5"), ("ESCAPEMENT_SEEDS", "many"),
    ("ESCAPEMENT_SCHEDULE", "7x"), ("ESCAPEMENT_SHARD", "0/4"), ("ESCAPEMENT_SHARD", "5/4"),
    ("ESCAPEMENT_SHARD", "3"), ("ESCAPEMENT_SHARD", "3/"), ("ESCAPEMENT_SHARD", "1/2/3"),
  ])
  func `a malformed variable is refused by its name`(name: String, value: String) throws {
    let error = try #require(throws: VirtualTimeError.self) { try read([name: value]) }
    #expect(error.description.contains(name))
    #expect(error.description.contains(value))
  }

  @Test(arguments: [
    (["ESCAPEMENT_SHARD": "3/16"], "3/16"), (["ESCAPEMENT_SHARD": "16/16"], "16/16"),
    (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4"], "1/4"),
    (["CI_NODE_INDEX": "4", "CI_NODE_TOTAL": "4"], "4/4"),
    (["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "4"], "1/4"),
    (["JOB_COMPLETION_INDEX": "3", "JOB_COMPLETIONS": "4"], "4/4"),
    (["CI_NODE_INDEX": "2"], "1/1"), (["JOB_COMPLETION_INDEX": "3"], "1/1"),
    (["ESCAPEMENT_SHARD": "1/2", "CI_NODE_INDEX": "4", "CI_NODE_TOTAL": "4"], "1/2"),
  ])
  func `a part of the seeds is named`(variables: [String: String], shard: String) throws {
    #expect(try read(variables).shard.description == shard)
  }

  @Test(arguments: [
    ["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "4"], ["CI_NODE_INDEX": "5", "CI_NODE_TOTAL": "4"],
    ["JOB_COMPLETION_INDEX": "4", "JOB_COMPLETIONS": "4"],
    ["JOB_COMPLETION_INDEX": "-1", "JOB_COMPLETIONS": "4"],
    ["CI_NODE_INDEX": "\(Int.min)", "CI_NODE_TOTAL": "4"],
    ["JOB_COMPLETION_INDEX": "\(Int.max)", "JOB_COMPLETIONS": "4"],
  ])
  func `an index beyond the total is refused`(variables: [String: String]) {
    #expect(throws: VirtualTimeError.self) { try read(variables) }
  }
}

@Suite struct ShardTests {
  @Test func `the parts together have each seed once`() {
    for count in 1...7 {
      for seedCount in [0, 1, 5, 100] {
        let parts = (1...count).map {
          Shard(number: $0, of: count)!.seeds(among: seedCount, from: 3)
        }
        #expect(parts.joined().sorted() == Array(3..<3 + UInt64(seedCount)))
      }
    }
  }

  @Test func `a number outside the count is refused`() {
    #expect(Shard(number: 0, of: 3) == nil)
    #expect(Shard(number: 4, of: 3) == nil)
    #expect(Shard(number: 1, of: 0) == nil)
    #expect(Shard(number: 3, of: 3)?.description == "3/3")
  }
}
