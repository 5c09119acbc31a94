/// The answers of an object whose calls come one after the other.
///
/// A model is a value, and as simple as the truth: a dictionary for a store, an array for a queue.
///
///     struct Register: Model {
///       enum Call { case set(Int), get }
///       var value = 0
///
///       mutating func answer(to call: Call) -> Int {
///         if case .set(let new) = call { value = new }
///         return value
///       }
///     }
///
/// The states that the check has seen are compared, so keep in a model what answers depend on, and
/// nothing else.
public protocol Model: Hashable, Sendable {
  /// A function with its arguments; often an enumeration.
  associatedtype Call: Sendable
  /// The result of a call.
  associatedtype Answer: Sendable

  /// Makes a call, and returns its answer.
  mutating func answer(to call: Call) -> Answer

  /// Makes a call that had an answer, and returns whether it may have had that one.
  ///
  /// By default, it is compared with ``answer(to:)``. Write this function where more than one
  /// answer is right, and then also ``states(after:)``.
  mutating func allows(_ answer: Answer, to call: Call) -> Bool

  /// The states that a call may leave if its answer is not known; by default that after
  /// ``answer(to:)``.
  func states(after call: Call) -> [Self]

  /// The subject of a call, if calls with other subjects do not matter to it; by default `nil`.
  ///
  /// The calls of each key are checked by themselves, which is much faster. Each key has a model of
  /// its own, as it is at the beginning.
  func key(of call: Call) -> AnyHashable?
}

extension Model {
  /// All calls have the same key.
  public func key(of call: Call) -> AnyHashable? { nil }

  /// The state after ``answer(to:)``.
  public func states(after call: Call) -> [Self] {
    var model = self
    _ = model.answer(to: call)
    return [model]
  }
}

extension Model where Answer: Equatable {
  /// Whether the model gives this answer.
  public mutating func allows(_ answer: Answer, to call: Call) -> Bool {
    self.answer(to: call) == answer
  }
}
