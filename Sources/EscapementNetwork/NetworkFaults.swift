/// Kinds of faults on the links of a ``SimulatedNetwork``.
public struct NetworkFaults: OptionSet, Sendable, Hashable {
  /// One bit for each kind.
  public let rawValue: UInt8

  /// Makes a set of kinds from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Two hosts are cut off from each other for some time.
  public static let cuts = NetworkFaults(rawValue: 1)
  /// For some time nothing arrives that one host sends to another one.
  public static let oneWayCuts = NetworkFaults(rawValue: 2)
  /// The connections between two hosts are reset.
  public static let resets = NetworkFaults(rawValue: 4)

  /// All kinds that there are.
  public static let all = NetworkFaults(each)
  private static let each: [NetworkFaults] = [.cuts, .oneWayCuts, .resets]

  /// Its kinds, each by itself.
  var kinds: [NetworkFaults] { Self.each.filter(contains) }
}
