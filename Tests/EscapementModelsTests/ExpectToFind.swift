import EscapementModels
import EscapementTesting
import Foundation
import TestSupport
import Testing

/// Lets clients use an object in many schedules.
private func explore<M: Model>(
  _ model: M, schedules: Int, calls: @escaping @Sendable (inout DrawnNumbers) -> M.Call,
  _ makeObject: @escaping @Sendable () -> @Sendable (M.Call) async throws -> M.Answer
) async throws -> ExplorationReport {
  try await withExploration(schedules, ExplorationOptions(shrinkLimit: 500)) { _ in
    let perform = makeObject()
    await expectLinearizable(model, calls: calls) { call, _ in try await perform(call) }
  }
}

/// Requires that the wrong object is found and made small, and that the right one passes.
///
/// The variable `ESCAPEMENT_ROUNDS` has the number of schedules of the right one.
func expectToFind<M: Model>(
  _ model: M, atMost most: Int,
  calls: @escaping @Sendable (inout DrawnNumbers) -> M.Call,
  _ makeObject: @escaping @Sendable (Bool) -> @Sendable (M.Call) async throws -> M.Answer
) async throws {
  let right = try await explore(model, schedules: rounds(100), calls: calls) { makeObject(true) }
  #expect(right.failure == nil, "\(right)")
  #expect(right.firstDifference == nil)
  let wrong = try await explore(model, schedules: 1_000, calls: calls) { makeObject(false) }
  let failure = try #require(wrong.failure)
  let text = try #require(failure.messages.first)
  #expect(text.contains("No order of these calls gives their answers:"), "\(failure)")
  let count = text.components(separatedBy: "[ ").count - 1
  #expect((1...most).contains(count), "\(failure)")
  #expect(wrong.firstDifference == nil)
}

/// A value on an actor.
actor Cell<Value: Sendable> {
  private(set) var value: Value
  init(_ value: Value) { self.value = value }
  func set(_ new: Value) { value = new }
  func change<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
    body(&value)
  }
}
