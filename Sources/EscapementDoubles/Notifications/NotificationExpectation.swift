/// The number of notifications that a test expects, and the numbers that were posted.
///
/// It decides whether the expectation has failed, and makes the message.
struct NotificationExpectation {
  /// How many notifications are expected.
  enum Quantity: Equatable {
    case none
    case exactly(Int)
  }

  let name: String
  let quantity: Quantity
  /// Whether the observed centre is `NotificationCenter.default`.
  var isDefaultCenter = false

  /// The notifications that meet the expectation.
  var matching = 0
  /// The notifications that have the name, but another object.
  var ofOthers = 0
  /// The notifications that have the name and the object, but do not meet the condition.
  var refused = 0
  /// The notifications in the default centre, if another centre is observed.
  var inDefaultCenter = 0

  private var count: Int {
    switch quantity {
    case .none: 0
    case .exactly(let count): count
    }
  }

  /// The message of the failure; `nil` if the expectation is met.
  var failure: String? {
    if case .exactly(let count) = quantity, count < 1 {
      return """
        'count' must be positive (got \(count)). Nothing has been checked.

        If nothing may be posted, use 'expectNoNotification' or 'expectNoMessage'.
        """
    }
    guard matching != count else { return nil }
    let summary = """
      Expected \(Self.number(count, name)), but \(matching == 0 ? "none" : "\(matching)") \
      \(matching == 1 ? "was" : "were") posted.
      """
    let advice = matching < count ? missing : extra
    return ([summary] + hints + [advice]).joined(separator: "\n\n")
  }

  private var hints: [String] {
    guard matching < count else { return [] }
    var hints: [String] = []
    if ofOthers > 0 {
      hints.append("\(Self.number(ofOthers, name)) came from another object, or had no object.")
    }
    if refused > 0 {
      hints.append("\(Self.number(refused, name)) did not meet the condition after 'where'.")
    }
    if inDefaultCenter > 0 {
      hints.append(
        """
        \(Self.number(inDefaultCenter, name)) went to 'NotificationCenter.default'. The code under \
        test may not use the centre that it was given.
        """)
    }
    return hints
  }

  private var missing: String {
    """
    The code under test may not post, or may post after the body has returned, which is too late. To \
    wait for later notifications, use a 'NotificationRecorder'.
    """
  }

  private var extra: String {
    switch (count, isDefaultCenter) {
    case (0, true):
      """
      It went to 'NotificationCenter.default'. The code under test may not use the centre that it was \
      given. Or a test that runs at the same time has posted it: then pass the 'object' that must not \
      post.
      """
    case (0, false):
      "The code under test may post when it should not, or another object that uses the centre posts."
    default:
      """
      The code under test may post once for each of several changes, or another object that uses the \
      centre posts. If this number is right, pass 'count: \(matching)'.
      """
    }
  }

  private static func number(_ count: Int, _ name: String) -> String {
    switch count {
    case 0: "no notification '\(name)'"
    case 1: "1 notification '\(name)'"
    default: "\(count) notifications '\(name)'"
    }
  }
}
