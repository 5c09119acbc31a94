/// The decisions of a spy: what has been called, and what the next call is answered.
struct SpyStateMachine<Input, Answer> {
  private enum Stub {
    case none
    case always(Answer)
    case sequence([Answer], next: Int)
  }

  /// What becomes of a call.
  enum Decision {
    case answer(Answer)
    case unstubbed
    /// So many answers have been used up.
    case exhausted(Int)
  }

  private(set) var calls: [Input] = []
  private var stub = Stub.none

  mutating func answer(_ answer: Answer) { stub = .always(answer) }

  mutating func answer(_ answers: [Answer]) { stub = .sequence(answers, next: 0) }

  /// Records a call.
  ///
  /// The first one takes the first answer, also when calls overlap.
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
