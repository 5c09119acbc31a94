import CReach
import IssueReporting

extension SimulatedNetwork {
  /// Disturbs hosts and the links between them for some time with faults that are drawn, and returns
  /// when all is whole again.
  ///
  /// While schedules are explored, each run draws some of the kinds, and then faults: their
  /// instants, hosts and lengths. Drawn faults are part of the schedule: they are found, shrunk and
  /// replayed with it. Few and short ones are left, and reports list them, such as
  /// "+7.5 seconds  shop and ledger are cut off after 1.2 seconds, for 3.75 seconds". In a scope
  /// that explores nothing, time passes, and nothing happens.
  ///
  /// Let it run beside the code under test, and require afterwards that all works again:
  ///
  ///     async let disturbance: Void = network.disturb(for: .seconds(60))
  ///     try await customers()
  ///     await disturbance
  ///     try await requireThatOrdersWork()
  ///
  /// A run has up to 16 faults, which last from 1/256 of the time to half of it. Only hosts with
  /// services (``SimulatedHost/run(fileID:filePath:line:column:_:)``) crash, are paused,
  /// suspended or have wrong clocks. Cuts and pauses of the test's own, and its name server that is
  /// down, may be ended meanwhile.
  ///
  /// Hosts that are made later are left alone. Returns at once when the caller is cancelled, with
  /// links that are whole and hosts that run.
  ///
  /// - `faults`: The kinds that a run may have.
  /// - `duration`: For how long the links are disturbed, above zero.
  /// - `fileID`, `filePath`, `line`, `column`: The place at which a wrong duration is reported; by
  ///   default that of the caller.
  public func disturb(
    _ faults: NetworkFaults = .all, for duration: Duration, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    guard duration > .zero else {
      return reportIssue(
        "A network cannot be disturbed for \(duration).", fileID: fileID, filePath: filePath,
        line: line, column: column)
    }
    let hosts = hosts
    let servers = hosts.filter(\.hasServices).map(\.number)
    var disturbance = Disturbance(
      faults, hostCount: hosts.count, servers: servers, for: duration)
    let start = ContinuousClock.now
    defer { endFaults(at: duration) }

    /// Ends the faults whose time is over.
    func endFaults(at instant: Duration) {
      let effects = disturbance.end(at: instant)
      apply(effects, of: disturbance, to: hosts)
    }

    /// Waits for an instant. Faults that end before it end on time.
    func wait(until instant: Duration) async throws {
      while let end = disturbance.nextEnd, end <= instant {
        try await Task.sleep(until: start + end, tolerance: nil, clock: .continuous)
        endFaults(at: end)
      }
      try await Task.sleep(until: start + instant, tolerance: nil, clock: .continuous)
    }

    let all = faults.kinds
    // All of them, or without some.
    let subsets = max(1, (1 << all.count) - 1)
    let without = draw(subsets - 1, 1 - 1 / Double(subsets)) { _ in nil }
    let kinds = all.indices.filter { without >> $0 & 1 == 0 }.map { all[$0] }
    do {
      for chance in 0..<Disturbance.chances where disturbance.faultCount > 0 {
        let early = disturbance.start(ofChance: chance)
        try await wait(until: early)
        // A fault of a kind that the run does not have is drawn as well, and left out: else the
        // kinds would change what the others are.
        let number = draw(disturbance.faultCount, 0.25) { [disturbance] number in
          let fault = disturbance.fault(number - 1)
          return kinds.contains(fault.kind) ? fault.description(among: hosts) : nil
        }
        guard number > 0 else { continue }
        let fault = disturbance.fault(number - 1)
        guard kinds.contains(fault.kind) else { continue }
        try await wait(until: early + fault.delay)
        let effects = disturbance.begin(fault, at: early + fault.delay)
        apply(effects, of: disturbance, to: hosts)
      }
      try await wait(until: duration)
    } catch {
      // The caller is cancelled.
    }
  }

  private func apply(
    _ effects: [Disturbance.Effect], of disturbance: Disturbance, to hosts: [SimulatedHost]
  ) {
    func host(_ number: UInt16) -> SimulatedHost { hosts[Int(number) - 1] }
    for effect in effects {
      switch effect {
      case .reset(let one, let other): resetConnections(between: host(one), and: host(other))
      case .crash(let it, let losesPower): host(it).crash(losingPower: losesPower)
      case .begin(.isCut(let it)):
        for way in it.ways(among: hosts.count) {
          cut(from: host(way.sender), to: host(way.receiver))
        }
      case .end(.isCut(let it)):
        for way in it.ways(among: hosts.count) where !disturbance.isCut(way) {
          heal(from: host(way.sender), to: host(way.receiver))
        }
      case .suspend(let it): host(it).suspend()
      case .begin(.isPaused(let it)): host(it).pause()
      case .end(.isPaused(let it)): host(it).resume()
      case .setClock(let it, let ahead): host(it).clockOffset = ahead
      case .setDrift(let it, let drift): host(it).clockDrift = drift
      case .end(.hasWrongClock(let it)):
        host(it).clockDrift = 0
        host(it).clockOffset = .zero
      case .begin(.hasNoNames): nameServer.isDown = true
      case .end(.hasNoNames): nameServer.isDown = false
      case .begin(.isDown), .begin(.hasWrongClock): break
      case .end(.isDown(let it)): if host(it).hasCrashed { host(it).restart() }
      }
    }
  }
}

extension Disturbance.Fault {
  /// The fault as reports show it.
  func description(among hosts: [SimulatedHost]) -> String {
    func host(_ number: UInt16) -> SimulatedHost { hosts[Int(number) - 1] }
    let later = delay == .zero ? "" : " after \(delay)"
    switch place {
    case .nameServer: return "the name server does not answer\(later), for \(length)"
    case .partition(let cut):
      let last = UInt16(hosts.count)
      func isApart(_ host: SimulatedHost) -> Bool {
        cut.contains(Direction(sender: host.number, receiver: last))
      }
      let (apart, others) = (hosts.filter(isApart), hosts.filter { !isApart($0) })
      let names = (apart.count > others.count ? others : apart).map(\.name)
      let more = names.count > 4 ? ["\(names.count - 3) more"] : []
      let group = (names.prefix(4 - more.count) + more).joined(separator: " and ")
      let are = names.count == 1 ? "is" : "are"
      return "\(group) \(are) cut off from all others\(later), for \(length)"
    case .link(let way):
      let (one, other) = (host(way.sender), host(way.receiver))
      switch kind {
      case .resets: return "the connections between \(one) and \(other) are reset\(later)"
      case .oneWayCuts: return "nothing arrives from \(one) at \(other)\(later), for \(length)"
      default: return "\(one) and \(other) are cut off\(later), for \(length)"
      }
    case .host(let number):
      let host = host(number)
      switch kind {
      case .crashes: return "\(host) crashes\(later), for \(length)"
      case .powerLosses: return "\(host) loses power\(later), for \(length)"
      case .pauses: return "\(host) is paused\(later), for \(length)"
      case .suspensions: return "\(host) is suspended\(later), for \(length)"
      case .clocksAhead: return "the clock of \(host) is \(length) ahead\(later), for as long"
      case .fastClocks:
        return "the clock of \(host) gains a tenth of the time\(later), for \(length)"
      default: return "the clock of \(host) is \(length) behind\(later), for as long"
      }
    }
  }
}

/// Draws one of some events besides the usual one, which is 0.
///
/// - Parameter step: Says what an event is, for reports; `nil` if they do not name it.
private func draw(_ count: Int, _ probability: Double, step: (Int) -> String?) -> Int {
  withoutActuallyEscaping(step) { step in
    withUnsafePointer(to: step) { step in
      let draw = rch_draw(
        count: UInt64(count), probability: probability,
        tell: { draw, drawn, text, capacity in
          let step = draw.pointee.context!.assumingMemoryBound(to: ((Int) -> String?).self)
          let all = UnsafeMutableBufferPointer(start: text, count: capacity)
          let characters = step.pointee(Int(drawn))?.utf8.map { CChar(bitPattern: $0) } ?? []
          let end = all.update(fromContentsOf: characters.prefix(capacity - 1))
          all[end] = 0
        }, context: UnsafeRawPointer(step))
      return Int(rch_draw_here(draw))
    }
  }
}
