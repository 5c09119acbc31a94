/// What was to be posted, and what was: decides whether that is a failure, and how it reads.
struct NotificationExpectation {
  let name: String
  let count: Int
  /// Whether the centre that is looked at belongs to the whole process.
  var isDefaultCenter = false

  /// Those that count.
  var matching = 0
  /// Those with the name, but of another object.
  var ofOthers = 0
  /// Those with the name and the object for which the condition does not hold.
  var refused = 0
  /// Those with the name in the default centre, which is not the one that was looked at.
  var inDefaultCenter = 0

  /// What to report, or `nil` if all is well.
  var failure: String? {
    guard count >= 0 else {
      return "'count' is \(count), but a notification is never posted less often than not at all."
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
      hints.append("\(Self.number(ofOthers, name)) came from another object, or from none.")
    }
    if refused > 0 {
      hints.append("\(Self.number(refused, name)) did not meet the condition after 'where'.")
    }
    if inDefaultCenter > 0 {
      hints.append(
        """
        \(Self.number(inDefaultCenter, name)) went to 'NotificationCenter.default'. The code under \
        test may not use the centre that it is given.
        """)
    }
    return hints
  }

  private var missing: String {
    """
    Only what is posted before the body returns counts, since a centre calls its observers at once. \
    For what is posted later, use a 'NotificationRecorder' and wait for it.
    """
  }

  private var extra: String {
    switch (count, isDefaultCenter) {
    case (0, true):
      """
      It went to 'NotificationCenter.default'. The code under test may not use the centre that it is \
      given; or a test that runs at the same time has posted it, then say which 'object' is meant.
      """
    case (0, false):
      "It may be posted on a path that should be silent, or by something else that uses the centre."
    default:
      """
      It may be posted once for each of several changes, or by something else that uses the centre. \
      If so many are meant, say so: 'count: \(matching)'.
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
