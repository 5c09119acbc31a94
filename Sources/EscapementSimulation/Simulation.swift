internal import CSimulation

/// Statements of a program about itself, for tests that explore its schedules.
///
/// Outside of virtual time a call reads one variable and does nothing, so it can stay in the
/// program that ships.
///
///     func load() async throws -> Data {
///       if Simulation.chance(0.1) { throw URLError(.networkConnectionLost) }
///       ...
///       Simulation.sometimes(attempts > 1, "a request was sent again")
///     }
public enum Simulation {
  /// Whether something rare happens here, such as a fault that the program makes on purpose.
  ///
  /// While schedules are explored, it happens in a share of them. It is then a decision of the
  /// schedule, as the order of tasks is: it is found, shrunk and replayed with the schedule, and
  /// its name stands among the steps of the report. In all other cases it never happens: outside
  /// of virtual time, in a scope that explores no schedules, in a hold, and on threads that belong
  /// to no scope.
  ///
  /// - `probability`: How often it happens, from 0 to 1.
  /// - `name`: What happens then, for reports, such as "the disk is full".
  /// - `file`, `line`: The place that reports name; by default that of the caller.
  public static func chance(
    _ probability: Double, _ name: StaticString = "a chance comes true",
    file: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    guard let table = csim_table_here() else { return false }
    return table.pointee.happens(probability, point(name, file, line))
  }

  /// Says whether a situation is reached that some test should reach.
  ///
  /// If a test explores schedules and none of them reaches a situation, although the code came by
  /// and said that it was not reached, the test has a warning that names it. So tests tell when
  /// they do not test what they were written for.
  ///
  /// - `isReached`: Whether it is reached now.
  /// - `name`: The situation, such as "the cache was full".
  /// - `file`, `line`: The place that the warning names; by default that of the caller.
  public static func sometimes(
    _ isReached: @autoclosure () -> Bool, _ name: StaticString, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    guard let table = csim_table_here() else { return }
    table.pointee.reaches(isReached(), point(name, file, line))
  }

  private static func point(
    _ name: StaticString, _ file: StaticString, _ line: UInt
  ) -> csim_point {
    csim_point(name: text(name), file: text(file), line: Int(line))
  }

  /// The characters of a literal, which end with a zero.
  private static func text(_ literal: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
