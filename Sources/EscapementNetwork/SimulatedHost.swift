import CReach
import CVirtualTime
import IssueReporting
import _EscapementCore

/// A host of a ``SimulatedNetwork``.
///
/// Code belongs to a host if the host runs it, or if code of the host has made it. The body of a
/// test belongs to no host. It cannot connect to one, and is told so if it tries.
public struct SimulatedHost: Sendable, Hashable {
  /// Its name, in lower case.
  public let name: String
  /// Its place in its network, from 1 on; 0 if it could not be made.
  private let place: UInt16
  /// The scope of its network.
  private let scope: UInt32

  init(name: String, place: UInt16) {
    (self.name, self.place) = (name, place)
    scope = rch_scope_of_network()
  }

  /// Its number for the engine, from 1 on; 0 in code that does not belong to the scope.
  var number: UInt16 { scope == rch_scope_of_network() ? place : 0 }

  /// Its address of IPv4, such as `10.0.0.1`.
  public var address: String { "10.0.\(place >> 8).\(place & 0xff)" }

  /// Its address of IPv6, such as `fd00::1`.
  public var addressV6: String { "fd00::\(String(place, radix: 16))" }

  /// Whether the code that asks belongs to this host.
  public var isCurrent: Bool { number != 0 && rch_current_host() == number }

  /// Starts a service on the host, such as a server, and returns at once.
  ///
  /// The service begins to run when the caller suspends, and once more at each
  /// ``restart(fileID:filePath:line:column:)``. It is cancelled when the scope ends. An error that
  /// it throws before is a failure of the test, at the place of this call.
  ///
  /// Then the host ends as in a ``crash(losingPower:)``, unless the test has called ``perform(_:)`` or
  /// ``performNow(fileID:filePath:line:column:_:)`` there, and may still use what it has made.
  ///
  /// - `fileID`, `filePath`, `line`, `column`: The place at which such an error is reported; by
  ///   default that of the caller.
  /// - `service`: Runs in a task of its own.
  public func run(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ service: @escaping @Sendable () async throws -> Void
  ) {
    guard number != 0 else {
      return Self.reportOtherScope(fileID: fileID, filePath: filePath, line: line, column: column)
    }
    let name = name
    let start: @Sendable () -> Void = {
      _ = Task(name: name) {
        do {
          try await service()
        } catch  where !Task.isCancelled {
          reportIssue(
            error, "The service of host '\(name)' has ended", fileID: fileID, filePath: filePath,
            line: line, column: column)
        } catch {
          // The scope ends.
        }
      }
    }
    HostRecord.of(number)?.add(start)
    if !hasCrashed { begin(start) }
  }

  /// Runs code of the host, and returns what it returns.
  ///
  /// The code runs in a task of its own, which is cancelled when the caller is.
  ///
  /// - Throws: What the code throws; ``Crash`` if the host crashes before the code has ended, or had
  ///   crashed; ``SimulatedNetworkError/hostOfOtherScope`` outside of the scope of its network.
  @discardableResult
  public func perform<Value: Sendable>(
    _ body: sending @escaping () async throws -> Value
  ) async throws -> Value {
    guard number != 0 else { throw SimulatedNetworkError.hostOfOtherScope }
    guard !hasCrashed else { throw Crash(host: name) }
    let call = FirstResult<Value>()
    let record = HostRecord.of(number)
    record?.begin(call) { [name] in call.set(.failure(Crash(host: name))) }
    defer { record?.end(call) }
    rch_note_test_code(number)
    let before = enter()
    let task = Task {
      do { call.set(.success(try await body())) } catch { call.set(.failure(error)) }
    }
    leave(to: before)
    return try await withTaskCancellationHandler {
      try await call.value
    } onCancel: {
      // Handlers of a host that has crashed must not be called.
      if call.valueIfSet == nil { performHere { task.cancel() } }
    }
  }

  /// Runs code of the host that does not suspend, on this thread.
  ///
  /// Clients, event loops, threads and tasks that the code makes belong to the host. If the host has
  /// crashed, or its scope has ended, the code runs, and the test fails. If it crashes meanwhile, the
  /// code goes on.
  ///
  /// - `fileID`, `filePath`, `line`, `column`: The place at which that is reported; by default that
  ///   of the caller.
  /// - Throws: What the code throws.
  public func performNow<Result, Failure: Error>(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if number == 0 {
      Self.reportOtherScope(fileID: fileID, filePath: filePath, line: line, column: column)
    } else if hasCrashed {
      reportIssue(
        Crash(host: name), fileID: fileID, filePath: filePath, line: line, column: column)
    }
    rch_note_test_code(number)
    return try performHere(body)
  }

  private static func reportOtherScope(
    fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
  ) {
    reportIssue(
      SimulatedNetworkError.hostOfOtherScope, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Starts a service in the host's present life.
  func begin(_ service: () -> Void) { performHere(service) }

  private func performHere<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = enter()
    // The thread is the caller's, and does not end with the host.
    let function = cvt_set_mortal(nil)
    defer {
      _ = cvt_set_mortal(function)
      leave(to: before)
    }
    return try body()
  }

  /// This code belongs to the host from now on.
  ///
  /// - Returns: To what it has belonged before.
  private func enter() -> UInt16 { cvt_set_current_life(rch_life_of_host(number)) }
  private func leave(to before: UInt16) { _ = cvt_set_current_life(before) }

  /// Says why a host cannot have a name, or returns `nil`.
  static func problem(withName name: String) -> String? {
    if name.isEmpty { return "A host needs a name." }
    if name.lowercased() == "localhost" { return "Each host calls itself 'localhost'." }
    let isAddress = name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." }
    return isAddress ? "A host cannot have the name '\(name)', which is an address." : nil
  }
}

extension SimulatedHost: CustomStringConvertible {
  /// Its name.
  public var description: String { name }
}
