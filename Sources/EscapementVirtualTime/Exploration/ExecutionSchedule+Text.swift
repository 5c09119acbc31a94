/// The reason why a text is not a schedule.
public struct ScheduleSyntaxError: Error, Hashable, CustomStringConvertible {
  /// The mistake.
  public enum Problem: Sendable, Hashable {
    /// A number is missing.
    case numberExpected
    /// A number is too large.
    case numberTooLarge
    /// The number after `x` or `+` is 0.
    case zero
    /// A character has no meaning there.
    case unexpectedCharacter
    /// The decision points do not grow.
    case notInOrder
  }

  /// The text.
  public let text: String
  /// The place of the problem, as a number of characters from the beginning.
  public let offset: Int
  /// The mistake.
  public let problem: Problem

  /// A message that says what is wrong, where, and what a schedule looks like.
  public var description: String {
    let found = text.dropFirst(offset).first.map { "\"\($0)\"" } ?? "the end"
    let reason =
      switch problem {
      case .numberExpected: "expected a number and found \(found)"
      case .numberTooLarge: "the number is larger than \(ExecutionSchedule.largestNumber)"
      case .zero: "the number must be 1 or more"
      case .unexpectedCharacter: "expected \".\", \"x\", \"+\" or the end, and found \(found)"
      case .notInOrder: "the number must be larger than that of the decision point before"
      }
    return """
      "\(text)" is not a schedule: at character \(offset + 1), \(reason). A schedule looks like \
      "7", "7x3", "7+2" or "7.12x1".
      """
  }
}

extension ExecutionSchedule: CustomStringConvertible {
  static let largestNumber = 1_000_000_000

  /// Parses the text of a schedule.
  ///
  /// - Parameter text: The text, such as `"7.12x1"`.
  /// - Throws: ``ScheduleSyntaxError``, which names the place.
  /// - Complexity: O(n).
  public init(parsing text: String) throws(ScheduleSyntaxError) {
    guard !text.isEmpty else {
      self = .plain
      return
    }
    var parser = Parser(text: text, rest: text[...])
    var overtakings = [try parser.overtaking(after: -1)]
    while parser.take(".") {
      overtakings.append(try parser.overtaking(after: overtakings[overtakings.count - 1].decision))
    }
    if !parser.rest.isEmpty { throw parser.error(.unexpectedCharacter) }
    self.init(overtakings)
  }

  /// The text of the schedule.
  public var description: String { overtakings.map(\.description).joined(separator: ".") }
}

extension ExecutionSchedule.Overtaking: CustomStringConvertible {
  /// The text of the overtaking.
  public var description: String {
    switch kind {
    case .firstWaits: "\(decision)"
    case .firstWaitsFor(let count): "\(decision)x\(count)"
    case .runs(let place): "\(decision)+\(place)"
    }
  }
}

private struct Parser {
  let text: String
  var rest: Substring

  mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  mutating func overtaking(
    after previous: Int
  ) throws(ScheduleSyntaxError) -> ExecutionSchedule.Overtaking {
    let start = rest
    let decision = try number()
    guard decision > previous else { throw error(.notInOrder, at: start) }
    if take("x") { return .init(decision: decision, kind: .firstWaitsFor(try positiveNumber())) }
    if take("+") { return .init(decision: decision, kind: .runs(try positiveNumber())) }
    return .init(decision: decision, kind: .firstWaits)
  }

  mutating func positiveNumber() throws(ScheduleSyntaxError) -> Int {
    let start = rest
    let number = try number()
    guard number > 0 else { throw error(.zero, at: start) }
    return number
  }

  mutating func number() throws(ScheduleSyntaxError) -> Int {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard !digits.isEmpty else { throw error(.numberExpected) }
    guard let number = Int(digits), number <= ExecutionSchedule.largestNumber else {
      throw error(.numberTooLarge)
    }
    rest.removeFirst(digits.count)
    return number
  }

  func error(
    _ problem: ScheduleSyntaxError.Problem, at place: Substring? = nil
  ) -> ScheduleSyntaxError {
    ScheduleSyntaxError(text: text, offset: text.count - (place ?? rest).count, problem: problem)
  }
}
