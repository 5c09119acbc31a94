import CVirtualTime
import _EscapementCore

extension VirtualTime {
  /// Makes time stand while real work is under way.
  ///
  /// A scope cannot see work that is not a task of its own: a callback of another thread, a dispatch
  /// queue, I/O. While it waits for such work, it looks as if nothing were going to happen, and time
  /// would move on.
  ///
  /// ```swift
  /// let data = await time.hold {
  ///   await withCheckedContinuation { done in
  ///     legacyQueue.async { done.resume(returning: load()) }
  ///   }
  /// }
  /// ```
  ///
  /// Holds may be nested and overlap; time moves when the last has ended. A hold that takes longer
  /// than ``VirtualTimeOptions/holdLimit`` of real time fails.
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

  private func closeHold(isolation: isolated (any Actor)? = #isolation) async {
    // Without the hooks, the scope takes itself for idle while an actor that another thread has
    // resumed runs there. It is seen again once it comes back from the main actor.
    if !cvt_sees_jobs() { await Self.hopToMainActor() }
    scope.closeHold()
  }

  @MainActor private static func hopToMainActor() {}
}
