import CVirtualTime
import _EscapementCore

extension VirtualTime {
  /// Stops time while real work is under way.
  ///
  /// A scope cannot see work that is not one of its tasks: a callback on another thread, a dispatch
  /// queue, I/O. While a task of the scope waits for such work, the scope is idle, and time would
  /// move to the next deadline.
  ///
  /// ```swift
  /// let data = await time.hold {
  ///   await withCheckedContinuation { done in
  ///     legacyQueue.async { done.resume(returning: load()) }
  ///   }
  /// }
  /// ```
  ///
  /// Holds may be nested and may overlap. Time moves when the last one has ended. A hold that takes
  /// longer than ``VirtualTimeOptions/holdLimit`` of real time is a failure, and so are more holds
  /// at one time than ``VirtualTimeOptions/openHoldLimit``.
  ///
  /// - Parameters:
  ///   - isolation: The caller's isolation.
  ///   - body: The work, on the caller's isolation.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public func hold<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let opener = scope.options.openHoldLimit == nil ? nil : TaskDescription.current
    return try await hold(isolation: isolation, by: opener, body)
  }

  /// Stops time while real work of a double is under way, which `openHoldLimit` does not count.
  package func holdForDouble<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await hold(isolation: isolation, by: nil, body)
  }

  private func hold<Result, Failure: Error>(
    isolation: isolated (any Actor)?, by opener: TaskDescription?,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let task = cvt_current_task()
    scope.openHold(of: task, by: opener)
    scope.recorder?.current(.holdOpened, at: scope.now)
    let hold = OpenHold(inside: Reach.hold)
    let result: Swift.Result<Result, Failure> = await Reach.$hold.withValue(hold) {
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    hold.close()
    // The clocks go back to the scope's time.
    if !Reach.isHeld { cvt_clocks_return_of_task() }
    scope.recorder?.current(.holdClosed, at: scope.now)
    await closeHold(of: task, by: opener)
    return try result.get()
  }

  private func closeHold(
    of task: UnsafeMutableRawPointer?, by opener: TaskDescription?,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    // Without the hooks, the scope takes itself for idle while an actor that another thread has
    // resumed runs there. It is seen again once it comes back from the main actor.
    if !cvt_sees_jobs() { await Self.hopToMainActor() }
    scope.closeHold(of: task, by: opener)
  }

  @MainActor private static func hopToMainActor() {}
}
