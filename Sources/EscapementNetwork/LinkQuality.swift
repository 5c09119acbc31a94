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
  /// How long a packet is under way at least, from zero on.
  public var latency: Duration
  /// How much longer a packet may take, from zero on: one of eight steps up to this.
  ///
  /// A packet never overtakes another one of its connection. Datagrams overtake each other.
  public var jitter: Duration
  /// How many bytes go through in a second, from 1 on; `nil` if that is not limited.
  ///
  /// Connections share it in the order in which they send.
  public var bytesPerSecond: Int?
  /// The share of packets that are lost, from 0 to 1.
  ///
  /// A lost packet of TCP is sent again: it arrives 200 ms later, and 400 ms, 800 ms and so on if it
  /// is lost again, up to eight times. Later bytes of the connection wait behind it. A lost datagram
  /// never arrives.
  public var loss: Double
  /// The share of datagrams that arrive twice, from 0 to 1.
  public var duplication: Double

  /// Makes a quality that is perfect in all that is not given.
  public init(
    latency: Duration = .zero, jitter: Duration = .zero, bytesPerSecond: Int? = nil,
    loss: Double = 0, duplication: Double = 0
  ) {
    self.latency = latency
    self.jitter = jitter
    self.bytesPerSecond = bytesPerSecond
    self.loss = loss
    self.duplication = duplication
  }
}

extension LinkQuality {
  init(_ quality: rch_link_quality) {
    self.init(
      latency: .nanoseconds(quality.latency), jitter: .nanoseconds(quality.jitter),
      bytesPerSecond: quality.bytes_per_second > 0 ? Int(quality.bytes_per_second) : nil,
      loss: quality.loss, duplication: quality.duplication)
  }

  /// The first wrong value, as a sentence; `nil` if all are right.
  private var problem: String? {
    if latency < .zero { return "The latency of a link is \(latency), less than zero." }
    if jitter < .zero { return "The jitter of a link is \(jitter), less than zero." }
    if let bytesPerSecond, bytesPerSecond < 1 {
      return "A link carries \(bytesPerSecond) bytes in a second, less than 1."
    }
    if !(0...1).contains(loss) { return "The loss of a link is \(loss), not from 0 to 1." }
    if !(0...1).contains(duplication) {
      return "The duplication of a link is \(duplication), not from 0 to 1."
    }
    return nil
  }

  /// The values for the engine.
  ///
  /// Those that cannot be are reported, and replaced by the nearest.
  var checked: rch_link_quality {
    if let problem { reportIssue(problem) }
    return rch_link_quality(
      latency: latency.clampedNanoseconds, jitter: jitter.clampedNanoseconds,
      bytes_per_second: Int64(max(1, bytesPerSecond ?? 1)) * (bytesPerSecond == nil ? 0 : 1),
      loss: loss.clampedShare, duplication: duplication.clampedShare)
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
