/// The states of a model to which a search has come, by numbers from 0 on.
///
/// Inlinable: compiled for the model, the search takes half of the time.
@usableFromInline struct ModelStates<M: Model> {
  @usableFromInline typealias Entry = History<M.Call, M.Answer>.Entry

  @usableFromInline let entries: [Entry]
  @usableFromInline var all: [M]
  @usableFromInline var numbers: [M: Int]

  /// - Parameter first: The state with the number 0.
  @usableFromInline init(_ entries: [Entry], first: M) {
    self.entries = entries
    all = [first]
    numbers = [first: 0]
  }

  /// The number of a state after a call; `nil` if the call would have had another answer.
  ///
  /// - Parameter choice: Which of the states it is that a call without an answer may leave.
  @inlinable mutating func after(_ state: Int, call: Int, choice: Int) -> Int? {
    let entry = entries[call]
    guard let answer = entry.answer else {
      let states = all[state].states(after: entry.call)
      return choice < states.count ? number(of: states[choice]) : nil
    }
    var model = all[state]
    return model.allows(answer, to: entry.call) ? number(of: model) : nil
  }

  @inlinable mutating func number(of model: M) -> Int {
    if let number = numbers[model] { return number }
    all.append(model)
    numbers[model] = all.count - 1
    return all.count - 1
  }
}
