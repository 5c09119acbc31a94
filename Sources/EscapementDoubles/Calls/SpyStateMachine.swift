/// The state machine of a spy: the calls so far, and the answer to the next call.
struct SpyStateMachine<Input, Answer> {
  private enum Stub {
    case none
    case always(Answer)
    case sequence([Answer], next: Int)
  }

  /// The decision about a call.
  enum Decision {
    case answer(Answer)
    case unstubbed
    /// The sequence had so many answers, and all have been used.
    case exhausted(Int)
  }

  private(set) var calls: [Input] = []
  private var stub = Stub.none

  mutating func answer(_ answer: Answer) { stub = .always(answer) }

  mutating func answer(_ answers: [Answer]) { stub = .sequence(answers, next: 0) }

  /// Records a call.
  ///
  /// Calls take the answers of a sequence in the order in which they are recorded.
  mutating func call(_ input: Input) -> Decision {
    calls.append(input)
    switch stub {
    case .none:
      return .unstubbed
    case .always(let answer):
      return .answer(answer)
    case .sequence(let answers, let next):
      guard next < answers.count else { return .exhausted(answers.count) }
      stub = .sequence(answers, next: next + 1)
      return .answer(answers[next])
    }
  }
}
