#if MockServer
  /// The decisions of a request and its answer: whether it has begun, and whether it was cancelled.
  struct ServedRequestStateMachine<Arrival> {
    private enum Phase {
      /// It was received; nobody has been asked.
      case received
      /// The stubs are asked, or send their answer.
      case answering(Task<Void, Never>)
      /// The last of the answer goes out. A client that leaves now has had it all.
      case ending(Task<Void, Never>)
      case cancelled(Task<Void, Never>?, byClient: Bool)
    }

    private var phase = Phase.received
    private var arrival: Arrival?

    /// Its task has begun; returns whether it is wanted.
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

    /// A stub has it; returns whether the client has cancelled it before.
    mutating func arrive(_ arrival: Arrival) -> Bool {
      self.arrival = arrival
      if case .cancelled(_, byClient: true) = phase { return true }
      return false
    }

    mutating func end() {
      if case .answering(let task) = phase { phase = .ending(task) }
    }

    /// Returns the task that is to be cancelled, and what the client has cancelled, if it has.
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

    /// Who has to come to an end before the connection does.
    var task: Task<Void, Never>? {
      switch phase {
      case .received, .cancelled(nil, _): nil
      case .answering(let task), .ending(let task), .cancelled(let task?, _): task
      }
    }
  }
#endif
