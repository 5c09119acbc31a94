/// Takes a state machine, with its model, through every sequence of events of a length.
package struct Exploration<Model, Event> {
  /// How many states were visited, the first among them.
  package private(set) var states = 0
  /// How many sequences there were.
  package private(set) var sequences = 0

  private let events: (Model) -> [Event]
  private let step: (Event, inout Model, _ left: Int) -> Void

  /// Explores.
  ///
  /// - Parameters:
  ///   - start: The first state.
  ///   - length: How many events a sequence has.
  ///   - events: What may happen in a state.
  ///   - step: Lets an event happen, and checks what has come of it; it is told how many events are left,
  ///     this one among them.
  @discardableResult package init(
    from start: Model, length: Int, events: @escaping (Model) -> [Event],
    step: @escaping (Event, inout Model, _ left: Int) -> Void
  ) {
    self.events = events
    self.step = step
    visit(start, left: length)
  }

  private mutating func visit(_ model: Model, left: Int) {
    states += 1
    guard left > 0 else {
      sequences += 1
      return
    }
    for event in events(model) {
      var model = model
      step(event, &model, left)
      visit(model, left: left - 1)
    }
  }
}
