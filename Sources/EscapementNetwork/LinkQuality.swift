import CReach
import IssueReporting

/// How one direction of a link carries what is sent.
///
/// A scope that explores no schedules sees the best case: no jitter, no loss, no duplication. While
/// schedules are explored, they are drawn for each packet, are part of the schedule, and are shrunk
/// with it.
/// A packet is a datagram of UDP, or what one side of a TCP connection has sent at one instant, up
/// to 16 KiB.
public struct LinkQuality: Sendable, Hashable {
  /// How the jitter of packets is distributed.
  public enum Distribution: Sendable, Hashable {
    /// Each step is as long as the one before.
    case uniform
    /// Half of the packets take up to a third of the jitter.
    case exponential
    /// Half of the packets take up to a seventh of the jitter, as on links that are seldom very slow.
    case pareto
  }

  /// How long a packet is under way at least, from zero on.
  public var latency: Duration
  /// How much longer a packet may take, from zero on: one of eight steps up to this.
  ///
  /// A packet never overtakes another one of its connection. Datagrams overtake each other.
  public var jitter: Duration
  /// How the steps of the jitter are distributed.
  ///
  /// All eight are equally probable, from none to all of the jitter.
  public var distribution: Distribution
  /// How many bytes go through in a second, from 1 on; `nil` if that is not limited.
  ///
  /// Connections share it in the order in which they send.
  public var bytesPerSecond: Int?
  /// The share of packets that are lost, from 0 to 1.
  ///
  /// A lost packet of TCP is sent again: it arrives 200 ms later, and 400 ms, 800 ms and so on if it
  /// is lost again, up to eight times. A packet that connects, or its answer, arrives 1 s later, and
  /// 2 s, 4 s and so on. Later bytes of the connection wait behind it. A lost datagram never arrives.
  public var loss: Double
  /// The share of datagrams that arrive twice, from 0 to 1.
  public var duplication: Double
  /// The share of packets of TCP that arrive in two parts, from 0 to 1.
  ///
  /// The rest comes a microsecond later. So a read gets a part of what the other side has written.
  public var shortReads: Double

  /// Makes a quality that is perfect in all that is not given.
  public init(
    latency: Duration = .zero, jitter: Duration = .zero, distribution: Distribution = .uniform,
    bytesPerSecond: Int? = nil, loss: Double = 0, duplication: Double = 0, shortReads: Double = 0
  ) {
    self.latency = latency
    self.jitter = jitter
    self.distribution = distribution
    self.bytesPerSecond = bytesPerSecond
    self.loss = loss
    self.duplication = duplication
    self.shortReads = shortReads
  }
}

extension LinkQuality {
  init(_ quality: rch_link_quality) {
    self.init(
      latency: .nanoseconds(quality.latency), jitter: .nanoseconds(quality.jitter),
      distribution: Distribution(quality.distribution),
      bytesPerSecond: quality.bytes_per_second > 0 ? Int(quality.bytes_per_second) : nil,
      loss: quality.loss, duplication: quality.duplication, shortReads: quality.short_reads)
  }

  /// The first wrong value, as a sentence; `nil` if all are right.
  private var problem: String? {
    if latency < .zero { return "The latency of a link is \(latency), less than zero." }
    if jitter < .zero { return "The jitter of a link is \(jitter), less than zero." }
    if let bytesPerSecond, bytesPerSecond < 1 {
      return "A link carries \(bytesPerSecond) bytes in a second, less than 1."
    }
    let shares: KeyValuePairs = [
      "loss": loss, "duplication": duplication, "share of short reads": shortReads,
    ]
    return shares.first { !(0...1).contains($0.value) }.map {
      "The \($0.key) of a link is \($0.value), not from 0 to 1."
    }
  }

  /// The values for the engine.
  ///
  /// Those that cannot be are reported, and replaced by the nearest.
  var checked: rch_link_quality {
    if let problem { reportIssue(problem) }
    return rch_link_quality(
      latency: latency.clampedNanoseconds, jitter: jitter.clampedNanoseconds,
      distribution: distribution.number,
      bytes_per_second: Int64(max(1, bytesPerSecond ?? 1)) * (bytesPerSecond == nil ? 0 : 1),
      loss: loss.clampedShare, duplication: duplication.clampedShare,
      short_reads: shortReads.clampedShare)
  }
}

extension LinkQuality.Distribution {
  init(_ number: rch_distribution) {
    self = number == rch_pareto ? .pareto : number == rch_exponential ? .exponential : .uniform
  }

  var number: rch_distribution {
    switch self {
    case .uniform: rch_uniform
    case .exponential: rch_exponential
    case .pareto: rch_pareto
    }
  }
}

extension Double {
  /// From 0 to 1.
  fileprivate var clampedShare: Double { isNaN ? 0 : min(max(self, 0), 1) }
}

extension Duration {
  /// In nanoseconds, from zero to a year.
  var clampedNanoseconds: Int64 {
    let (seconds, attoseconds) = min(max(self, .zero), .seconds(365 * 86_400)).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
