import Testing

@testable import Escapement

/// Two replicas, a store, messages that may be slow or lost, and crashes: every order of their events.
@Suite struct LeaseModelTests {
  /// What the replicas need the lease for.
  enum Purpose: CaseIterable {
    case leading, atMostOnce, atLeastOnce
  }

  struct World: Hashable {
    struct Replica: Hashable {
      var owner: Int64
      var machine: LeaseStateMachine
      /// The number of the request whose reply it awaits.
      var awaited: Int?
      var hasBegun = false
      var hasEnded = false
    }

    struct Message: Hashable {
      enum Content: Hashable {
        case request(LeaseRequest)
        case reply(LeaseReply)
      }

      let number: Int
      let replica: Int
      let content: Content
    }

    static let duration: Int64 = 2
    static let run: Int64 = 1

    let purpose: Purpose
    /// In microseconds; the machines count nanoseconds.
    var now: Int64 = 0
    var record = LeaseRecord()
    var replicas: [Replica?] = []
    var messages: [Message] = []
    var sent = 0
    var owners: Int64 = 0
    var holders: [Int64: Int64] = [:]
    var repeatedToken: Int64?
    var begun = 0
    var finished = 0
    var crashes = 0

    init(_ purpose: Purpose) {
      self.purpose = purpose
      for _ in 0..<2 { replicas.append(newReplica()) }
    }

    private mutating func newReplica() -> Replica {
      owners += 1
      return Replica(
        owner: owners,
        machine: LeaseStateMachine(
          duration: Self.duration * 1_000, retryInterval: 1_000, now: now * 1_000))
    }

    enum Event: Hashable {
      case tick
      case step(Int)
      case finish(Int)
      case deliver(Int)
      case lose(Int)
      case crash(Int)
    }

    var isHeld: Bool { replicas.contains { $0?.machine.token(at: now * 1_000) != nil } }

    func events(until end: Int64) -> [Event] {
      var events: [Event] = now < end ? [.tick] : []
      for (index, replica) in replicas.enumerated() {
        guard let replica, !replica.hasEnded else { continue }
        events.append(.step(index))
        if replica.machine.token(at: now * 1_000) != nil { events.append(.finish(index)) }
        if crashes == 0 { events.append(.crash(index)) }
      }
      for index in messages.indices { events += [.deliver(index), .lose(index)] }
      return events
    }

    mutating func happen(_ event: Event) {
      switch event {
      case .tick: now += 1
      case .step(let index): step(index)
      case .finish(let index): finish(index)
      case .deliver(let index): deliver(messages.remove(at: index))
      case .lose(let index): messages.remove(at: index)
      case .crash(let index):
        crashes += 1
        replicas[index] = nil
      }
    }

    private mutating func step(_ index: Int) {
      switch replicas[index]!.machine.next(now: now * 1_000) {
      case .acquire:
        let action: LeaseRequest.Action = purpose == .atMostOnce ? .acquireAndFinish : .acquire
        send(action, from: index, run: purpose == .leading ? 0 : Self.run)
      case .renew:
        send(.renew, from: index)
      case .awaitReply(let end):
        if now * 1_000 >= end {
          replicas[index]!.awaited = nil
          replicas[index]!.machine.failed(now: now * 1_000)
        }
      case .lost:
        replicas[index] = newReplica()
      case .done:
        replicas[index]!.hasEnded = true
      case .wait:
        break
      }
    }

    private mutating func finish(_ index: Int) {
      finished += 1
      send(.release, from: index, run: purpose == .leading ? 0 : Self.run)
      replicas[index]!.hasEnded = true
    }

    private mutating func send(_ action: LeaseRequest.Action, from index: Int, run: Int64 = 0) {
      sent += 1
      let request = LeaseRequest(
        action: action, owner: replicas[index]!.owner, duration: Self.duration, run: run)
      messages.append(Message(number: sent, replica: index, content: .request(request)))
      replicas[index]!.awaited = sent
    }

    private mutating func deliver(_ message: Message) {
      switch message.content {
      case .request(let request):
        let reply = record.change(request, now: now)
        if case .granted(let token) = reply, request.action.rawValue < 2 {
          if holders.updateValue(request.owner, forKey: token) != nil { repeatedToken = token }
        }
        messages.append(
          Message(number: message.number, replica: message.replica, content: .reply(reply)))
      case .reply(let reply):
        guard let replica = replicas[message.replica], replica.awaited == message.number,
          !replica.hasEnded
        else { return }
        replicas[message.replica]!.awaited = nil
        replicas[message.replica]!.machine.received(reply, now: now * 1_000)
        if !replica.hasBegun, replicas[message.replica]!.machine.token(at: now * 1_000) != nil {
          replicas[message.replica]!.hasBegun = true
          begun += 1
        }
      }
    }

    /// What must not be, or `nil`.
    var violation: String? {
      let holding = replicas.compactMap { $0 }.filter {
        !$0.hasEnded && $0.machine.token(at: now * 1_000) != nil
      }
      if let repeatedToken { return "the token \(repeatedToken) was given twice" }
      if holding.count > 1 { return "two replicas hold the lease" }
      if let replica = holding.first, replica.owner != record.owner {
        return "a replica holds the lease, but the store has given it to another one"
      }
      if purpose == .atMostOnce, begun > 1 { return "the run has begun \(begun) times" }
      if purpose == .atLeastOnce, record.run == Self.run, finished == 0 {
        return "the run is noted as done, but was not"
      }
      return nil
    }

    /// Goes on without crashes and lost messages, each of which arrives at once.
    mutating func goOnUndisturbed(for ticks: Int64) -> Bool {
      for _ in 0...ticks {
        for _ in 0..<4 {
          while !messages.isEmpty { happen(.deliver(0)) }
          for index in replicas.indices where replicas[index]?.hasEnded == false {
            step(index)
          }
        }
        for index in replicas.indices where purpose != .leading {
          guard let replica = replicas[index], !replica.hasEnded else { continue }
          if replica.machine.token(at: now * 1_000) != nil { finish(index) }
        }
        if purpose == .leading ? isHeld : record.run == Self.run { return true }
        now += 1
      }
      return false
    }
  }

  @Test(arguments: Purpose.allCases)
  func `no two replicas hold the lease, and one gets it, whatever happens`(purpose: Purpose) {
    let start = World(purpose)
    let end: Int64 = 3
    var seen: Set<World> = [start]
    var open = [start]
    while let world = open.popLast() {
      if let violation = world.violation {
        Issue.record("\(violation): \(world)")
        return
      }
      // A lease that a request in flight still gets, and one that ends, and the next attempt. Each state
      // leads to one at the end.
      var future = world
      let canProgress = world.now == end && world.replicas.contains { $0?.hasEnded == false }
      if canProgress, !future.goOnUndisturbed(for: 2 * World.duration + 2) {
        Issue.record("There is no progress: \(world)")
        return
      }
      for event in world.events(until: end) {
        var next = world
        next.happen(event)
        // The replicas are alike, so the first one may begin.
        guard next.sent <= 3, next.messages.count <= 2, event != .step(1) || world.sent > 0,
          seen.insert(next).inserted
        else { continue }
        open.append(next)
      }
    }
    #expect(seen.count > 20_000)
  }
}
