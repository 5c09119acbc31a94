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

  /// The state after a call; `nil` if the call would have had another answer.
  @inlinable mutating func after(_ state: Int, call: Int) -> Int? {
    var model = all[state]
    let entry = entries[call]
    if let answer = entry.answer {
      guard model.allows(answer, to: entry.call) else { return nil }
    } else {
      _ = model.answer(to: entry.call)
    }
    if let number = numbers[model] { return number }
    all.append(model)
    numbers[model] = all.count - 1
    return all.count - 1
  }
}
