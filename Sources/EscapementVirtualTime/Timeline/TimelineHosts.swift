import CReach

/// An event of a host of a simulated network.
struct HostEvent: Sendable {
  let kind: rch_host_event_kind
  /// The numbers of the host and of the other one that takes part; 0 if there is none.
  let host, other: UInt16
  let amount: Int64
  let drift: Double
  /// When the other host has sent it, or -1.
  let sentAt: Nanoseconds

  /// Whether nothing of the host runs from now on, or does again.
  var stopsHost: Bool {
    [rch_has_crashed, rch_has_no_power, rch_is_paused, rch_falls_asleep].contains(kind)
  }
  var startsHost: Bool { [rch_has_restarted, rch_goes_on].contains(kind) }
}

/// The hosts of a simulated network in a timeline, and their events.
struct TimelineHosts: Sendable {
  private(set) var events: [HostEvent] = []
  /// How many of the oldest events were dropped.
  private var dropped = 0
  private var names: [UInt16: String] = [:]
  private var hostsOfLives: [UInt16: UInt16] = [:]
  private var hostsOfTasks: [UInt64: UInt16] = [:]

  /// The index of the event at a step.
  func index(of step: TimelineEvent) -> Int { Int(step.other) - dropped }

  /// The event at a step.
  subscript(step: TimelineEvent) -> HostEvent { events[index(of: step)] }

  /// The oldest events are not kept.
  mutating func drop(_ count: Int) {
    events.removeFirst(count)
    dropped += count
  }

  /// Returns the number of the event.
  @discardableResult
  mutating func add(_ event: rch_host_event) -> Int {
    for (number, name) in [(event.host, event.name), (event.other, event.other_name)] {
      if let name, names[number] == nil { names[number] = String(cString: name) }
    }
    if event.kind == rch_joins || event.kind == rch_has_restarted {
      hostsOfLives[UInt16(event.amount)] = event.host
    }
    events.append(
      HostEvent(
        kind: event.kind, host: event.host, other: event.other, amount: event.amount,
        drift: event.drift, sentAt: event.sent_at))
    return dropped + events.count - 1
  }

  mutating func add(_ task: UInt64, of life: UInt16) { hostsOfTasks[task] = hostsOfLives[life] }

  /// The name of the host to which a task belongs; `nil` if it belongs to none.
  func host(of task: UInt64) -> String? { hostsOfTasks[task].map(name) }

  /// The lanes of hosts, and of the network if something has happened that is about none.
  var lanes: [(host: UInt16, name: String)] {
    let all = Set(names.keys).union(events.map(\.host))
    return all.sorted().map { ($0, name($0)) }
  }

  func name(_ host: UInt16) -> String { names[host] ?? "the network" }

  /// An event as a sentence without a full stop.
  func sentence(_ event: HostEvent) -> String {
    let (host, other) = (name(event.host), name(event.other))
    let sent = event.sentAt < 0 ? "" : ", sent at +\(event.sentAt.duration)"
    switch event.kind {
    case rch_gets_bytes: return "\(host) gets \(bytes(event.amount)) from \(other)\(sent)"
    case rch_gets_datagram:
      return "\(host) gets a datagram of \(bytes(event.amount)) from \(other)\(sent)"
    case rch_gets_connection: return "\(host) gets a connection from \(other)\(sent)"
    case rch_gets_end: return "\(host) learns that \(other) sends no more\(sent)"
    case rch_gets_reset: return "\(host) learns that \(other) has reset a connection\(sent)"
    case rch_is_refused: return "\(host) learns that \(other) refuses a connection"
    case rch_loses_packet: return "a packet from \(host) to \(other) is lost"
    case rch_is_cut_off: return "nothing arrives from \(host) at \(other) any more"
    case rch_is_heard_again: return "what \(host) sends arrives at \(other) again"
    case rch_loses_connections: return "the connections between \(host) and \(other) are reset"
    case rch_has_crashed: return "\(host) crashes"
    case rch_has_no_power: return "\(host) loses power"
    case rch_joins: return "\(host) joins the network"
    case rch_has_restarted: return "\(host) restarts"
    case rch_is_paused: return "\(host) is paused"
    case rch_falls_asleep: return "\(host) is suspended"
    case rch_goes_on: return "\(host) goes on"
    case rch_has_clock:
      let distance = Nanoseconds(event.amount.magnitude).duration
      let side = event.amount < 0 ? "behind" : "ahead"
      let state = event.amount == 0 ? "right" : "\(distance) \(side)"
      let verb = event.drift < 0 ? "loses" : "gains"
      let change = Duration.seconds(event.drift.magnitude)
      let pace = event.drift == 0 ? "" : ", and \(verb) \(change) in each second"
      return "the clock of \(host) is \(state)\(pace)"
    case rch_has_no_names: return "the name server does not answer any more"
    default: return "the name server answers again"
    }
  }

  private func bytes(_ count: Int64) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}
