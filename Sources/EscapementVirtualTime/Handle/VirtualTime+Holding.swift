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
  /// longer than ``VirtualTimeOptions/holdLimit`` of real time is a failure.
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
    scope.state.withLock { $0.openHold() }
    do throws(Failure) {
      let result = try await body()
      await closeHold()
      return result
    } catch {
      await closeHold()
      throw error
    }
  }

  /// Ends a hold, once the caller runs where the scope can see it.
  ///
  /// An actor that was resumed from another thread runs there until it suspends. If the hold ended
  /// while it does, the scope would take itself for idle although its own code is running.
  private func closeHold(isolation: isolated (any Actor)? = #isolation) async {
    while scope.runsCallerElsewhere { await Self.hopToMainActor() }
    if scope.state.withLock({ $0.closeHold() }) { scope.schedule() }
  }

  @MainActor private static func hopToMainActor() {}
}

extension Scope {
  /// Whether the caller is the scope's, on a thread that is not.
  // Not inlined: an asynchronous function goes on on other threads, whose locals are others.
  @inline(never) fileprivate var runsCallerElsewhere: Bool {
    cvt_current_owner() == number && cvt_thread_scope() == nil
  }
}
