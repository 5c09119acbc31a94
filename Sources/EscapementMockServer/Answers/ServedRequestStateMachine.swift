#if MockServer
  /// The state machine of a served request: whether its handler has begun, and whether it was
  /// cancelled.
  struct ServedRequestStateMachine<Arrival> {
    private enum Phase {
      /// The request was received, and its task has not begun.
      case received
      /// The task runs the handler, or sends the answer.
      case answering(Task<Void, Never>)
      /// The last part is being sent. A client that closes the connection now has cancelled
      /// nothing.
      case ending(Task<Void, Never>)
      case cancelled(Task<Void, Never>?, byClient: Bool)
    }

    private var phase = Phase.received
    private var arrival: Arrival?

    /// The task has begun.
    ///
    /// Returns whether the answer is still needed.
    mutating func begin(_ task: Task<Void, Never>) -> Bool {
      switch phase {
      case .received:
        phase = .answering(task)
        return true
      case .cancelled(nil, let byClient):
        phase = .cancelled(task, byClient: byClient)
        return false
      case .answering, .ending, .cancelled: return false
      }
    }

    /// The request has reached the stubs.
    ///
    /// Returns whether the client has cancelled it before.
    mutating func arrive(_ arrival: Arrival) -> Bool {
      self.arrival = arrival
      if case .cancelled(_, byClient: true) = phase { return true }
      return false
    }

    mutating func end() {
      if case .answering(let task) = phase { phase = .ending(task) }
    }

    /// Returns the task to cancel and, if the client has cancelled it, the request at the stubs.
    mutating func cancel(byClient: Bool) -> (task: Task<Void, Never>?, arrival: Arrival?) {
      switch phase {
      case .received:
        phase = .cancelled(nil, byClient: byClient)
        return (nil, nil)
      case .answering(let task):
        phase = .cancelled(task, byClient: byClient)
        return (task, byClient ? arrival : nil)
      case .ending(let task): return (task, nil)
      case .cancelled: return (nil, nil)
      }
    }

    /// The task that must end before the connection ends.
    var task: Task<Void, Never>? {
      switch phase {
      case .received, .cancelled(nil, _): nil
      case .answering(let task), .ending(let task), .cancelled(let task?, _): task
      }
    }
  }
#endif
