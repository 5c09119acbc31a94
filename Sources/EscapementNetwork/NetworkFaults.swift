/// Kinds of faults in a ``SimulatedNetwork``.
public struct NetworkFaults: OptionSet, Sendable, Hashable {
  /// One bit for each kind.
  public let rawValue: UInt32

  /// Makes a set of kinds from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Two hosts are cut off from each other for some time.
  public static let cuts = NetworkFaults(rawValue: 1)
  /// For some time nothing arrives that one host sends to another one.
  public static let oneWayCuts = NetworkFaults(rawValue: 2)
  /// The connections between two hosts are reset.
  public static let resets = NetworkFaults(rawValue: 4)
  /// A host with services crashes, and restarts after some time.
  public static let crashes = NetworkFaults(rawValue: 8)
  /// A host with services loses power, and restarts after some time.
  public static let powerLosses = NetworkFaults(rawValue: 16)
  /// A host with services is paused for some time.
  public static let pauses = NetworkFaults(rawValue: 32)
  /// The wall clock of a host with services is ahead, by as much as the fault lasts.
  public static let clocksAhead = NetworkFaults(rawValue: 64)
  /// The wall clock of a host with services is behind, by as much as the fault lasts.
  public static let clocksBehind = NetworkFaults(rawValue: 128)
  /// For some time, some hosts are cut off from all others.
  ///
  /// Each division of up to 13 hosts may be drawn. Of more hosts, one is cut off from the others.
  public static let partitions = NetworkFaults(rawValue: 256)
  /// For some time, the name server does not answer.
  public static let nameFailures = NetworkFaults(rawValue: 512)
  /// The machine of a host with services is suspended for some time.
  public static let suspensions = NetworkFaults(rawValue: 1024)

  /// The wall clock of a host with services gains a tenth of a second in each second, for some time.
  public static let fastClocks = NetworkFaults(rawValue: 2048)

  /// All faults of links.
  public static let ofLinks: NetworkFaults = [.cuts, .oneWayCuts, .resets, .partitions]
  /// All faults of hosts with services.
  public static let ofHosts: NetworkFaults = [
    .crashes, .powerLosses, .pauses, .suspensions, .clocksAhead, .clocksBehind, .fastClocks,
  ]
  /// All kinds that there are.
  public static let all: NetworkFaults = [.ofLinks, .ofHosts, .nameFailures]

  /// Its kinds, each by itself.
  var kinds: [NetworkFaults] {
    (0..<UInt32.bitWidth).map { NetworkFaults(rawValue: 1 << $0) }.filter {
      contains($0) && NetworkFaults.all.contains($0)
    }
  }
}
