public import EscapementClocks
import _EscapementCore

extension VirtualTime {
  /// Waits until a task of the scope begins to sleep, and returns the sleep.
  ///
  /// ```swift
  /// let sleep = try await time.waitForSleep(ofTask: "retry")
  /// #expect(sleep.duration == .seconds(4))
  /// await time.advance(to: sleep.deadline!)
  /// ```
  ///
  /// Time does not move between the beginning of the sleep and the return. If a task that fits
  /// sleeps already, the method returns at once; of several sleeps, it returns the one that ends
  /// first. If no such sleep begins and the scope is stuck, the report of the scope says what was
  /// waited for.
  ///
  /// The sleeps are those on this clock and, where they are virtual, on the standard clocks.
  ///
  /// - Parameters:
  ///   - clock: The clock on which the task sleeps; `nil` stands for any clock.
  ///   - taskName: The name of the task; `nil` stands for any task.
  ///   - duration: The duration that was asked for, to the nanosecond; `nil` stands for any.
  ///   - isolation: The caller's isolation.
  /// - Returns: The sleep.
  /// - Throws: `CancellationError` when the caller is cancelled.
  public func waitForSleep(
    on clock: SleepClock? = nil, ofTask taskName: String? = nil, for duration: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> SleepingTask<Instant> {
    let filter = SleepObservers.Filter(clock: clock, taskName: taskName, duration: duration)
    try Task.checkCancellation()
    if let sleep = sleepers.first(where: filter.matches) { return sleep }
    let id = scope.state.withLock { $0.time.sleepers.observers.next() }
    let sleep = await naming({ filter.description }) {
      await withTaskCancellationHandler {
        await withUnsafeContinuation { continuation in
          scope.state.withLock { $0.time.sleepers.observers.set(id, for: filter, continuation) }
          // The cancellation may have come before.
          if Task.isCancelled { cancelWait(id) }
        }
      } onCancel: {
        cancelWait(id)
      }
    }
    guard let sleep else { throw CancellationError() }
    return sleep
  }

  private func cancelWait(_ id: SleepObservers.ID) {
    scope.state.withLock { $0.time.sleepers.observers.remove(id) }?.resume(returning: nil)
  }

  /// Runs a body, and returns the sleeps of the scope that have begun meanwhile.
  ///
  /// ```swift
  /// let sleeps = try await time.recordSleeps { try await client.loadWithRetries() }
  /// #expect(sleeps.map(\.duration) == [.seconds(1), .seconds(2), .seconds(4)])
  /// ```
  ///
  /// A sleep that ends at once, because its deadline has been reached, is not recorded. The sleeps
  /// are those on this clock and, where they are virtual, on the standard clocks.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - body: The code whose sleeps are recorded, on the caller's isolation.
  /// - Returns: The sleeps, in the order in which they began.
  /// - Throws: What the body throws.
  public func recordSleeps<Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Void
  ) async throws(Failure) -> [SleepingTask<Instant>] {
    let id = scope.state.withLock { state in
      let id = state.time.sleepers.observers.next()
      state.time.sleepers.observers.startRecording(id)
      return id
    }
    do throws(Failure) {
      try await body()
    } catch {
      _ = scope.state.withLock { $0.time.sleepers.observers.stopRecording(id) }
      throw error
    }
    return scope.state.withLock { $0.time.sleepers.observers.stopRecording(id) }
  }
}

extension SleepObservers.Filter: CustomStringConvertible {
  var description: String {
    let task = taskName.map { " of the task “\(TaskDescription.shown($0) ?? "")”" } ?? ""
    let length = duration.map { " for \($0)" } ?? ""
    return "a sleep\(task)\(length)\(clock.map { " on \($0.name)" } ?? "")"
  }
}

extension SleepClock {
  fileprivate var name: String {
    switch self {
    case .continuous: "ContinuousClock"
    case .suspending: "SuspendingClock"
    case .injected: "an injected clock"
    }
  }
}
