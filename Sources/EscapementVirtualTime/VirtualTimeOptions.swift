/// How a virtual-time scope behaves.
///
/// The defaults suit nearly every test; a simulation of years may want larger limits.
public struct VirtualTimeOptions: Sendable {
  /// Who moves time.
  public enum Mode: Sendable {
    /// Time jumps to the next deadline whenever everything in the scope waits.
    case automatic
    /// Time moves only through the handle: ``VirtualTime/advance(by:fileID:filePath:line:column:)``
    /// and its relatives.
    case manual
  }

  /// What the standard clocks and `Date()` read inside the scope.
  public enum StandardClocks: Sendable {
    /// Virtual time, where the platform allows it: see ``VirtualTime/virtualizesStandardClocks``.
    case virtual
    /// Real time, and their sleeps really wait, during which virtual time is held.
    case real
  }

  /// What happens when tasks are left over at the end of the body.
  public enum Leftovers: Sendable {
    /// They are cancelled and listed in a warning.
    case warn
    /// They are cancelled and listed in a failure.
    case fail
    /// They are cancelled.
    case ignore
  }

  /// Who moves time.
  public var mode: Mode

  /// What the wall clock reads when the scope starts, as time since 1970-01-01T00:00:00Z.
  ///
  /// The default is 2000-01-01T00:00:00Z. It may lie up to 9,223,372,036 seconds, 292 years, before or
  /// after 1970. From there the wall clock goes on as long as virtual time does, for 292 years more.
  public var wallClockStart: Duration

  /// What the standard clocks and `Date()` read inside the scope.
  public var standardClocks: StandardClocks

  /// What happens when tasks are left over at the end of the body.
  public var leftovers: Leftovers

  /// How long, in real time, the scope waits for somebody outside to wake it before it is stuck.
  public var stallLimit: Duration

  /// How long, in real time, a hold may keep the scope waiting.
  public var holdLimit: Duration

  /// How many jobs may run at one instant before the scope is endless.
  public var jobLimit: Int

  /// How many deadlines may pass while the body does not wake, and nobody moves time by hand.
  public var eventLimit: Int

  /// Creates options; every parameter has a default.
  public init(
    mode: Mode = .automatic,
    wallClockStart: Duration = .seconds(946_684_800),
    standardClocks: StandardClocks = .virtual,
    leftovers: Leftovers = .warn,
    stallLimit: Duration = .seconds(1),
    holdLimit: Duration = .seconds(60),
    jobLimit: Int = 10_000_000,
    eventLimit: Int = 10_000_000
  ) {
    self.mode = mode
    self.wallClockStart = wallClockStart
    self.standardClocks = standardClocks
    self.leftovers = leftovers
    self.stallLimit = stallLimit
    self.holdLimit = holdLimit
    self.jobLimit = jobLimit
    self.eventLimit = eventLimit
  }

  /// Refuses what makes no sense.
  func check() throws(VirtualTimeError) {
    func require(_ condition: Bool, _ option: String) throws(VirtualTimeError) {
      if !condition { throw .invalidOption(option) }
    }
    let farthest = Duration.seconds(9_223_372_036)
    try require(
      wallClockStart <= farthest && wallClockStart >= .zero - farthest,
      """
      wallClockStart: \(wallClockStart); use -9,223,372,036...9,223,372,036 seconds, which is up to \
      292 years before and after 1970
      """)
    try require(stallLimit >= .zero, "stallLimit: \(stallLimit), which is negative")
    try require(holdLimit >= .zero, "holdLimit: \(holdLimit), which is negative")
    try require(jobLimit > 0, "jobLimit: \(jobLimit), with which no job may run")
    try require(eventLimit > 0, "eventLimit: \(eventLimit), with which no deadline may pass")
  }
}
