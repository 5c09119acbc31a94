extension Task where Success == Void, Failure == Never {
  /// Starts a task on the thread of the caller, where the platform can.
  ///
  /// The task runs there until it suspends, so no other thread has to wake up for it.
  package static func startingHere(
    name: String, operation: @escaping @Sendable () async -> Void
  ) -> Self {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      Task.immediate(name: name) { await operation() }
    } else {
      Task(name: name) { await operation() }
    }
  }
}
