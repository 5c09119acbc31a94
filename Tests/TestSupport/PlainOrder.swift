import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
  /// Skips the test if the environment asks for other schedules than the plain order.
  ///
  /// For tests of what only the plain order promises, such as that equal deadlines wake in the order of
  /// arming, and of how a plain run reports. `Scripts/seeds` runs all other tests under many schedules.
  package static func plainOrder(because reason: Comment) -> Self {
    .disabled(if: asksForSchedules, reason)
  }

  /// The same, for a test whose subject is the plain order.
  package static var plainOrder: Self { .plainOrder(because: "Its subject is the plain order.") }
}

private let asksForSchedules = ["ESCAPEMENT_SEEDS", "ESCAPEMENT_SEED", "ESCAPEMENT_SCHEDULE"]
  .contains { ProcessInfo.processInfo.environment[$0] != nil }
