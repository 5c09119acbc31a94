/// Something to be done once, on the actor it was written on.
struct Action: Sendable {
  private let body: @Sendable @isolated(any) () -> Void

  init(_ body: @escaping @Sendable @isolated(any) () -> Void) {
    self.body = body
  }

  /// The actor it has to be done on; any place will do if there is none.
  var isolation: (any Actor)? { body.isolation }

  /// Whether it can be done without leaving the place where the caller is.
  func canRun(on isolation: (any Actor)?) -> Bool {
    guard let required = self.isolation else { return true }
    return required === isolation
  }

  /// Does it now.
  func run(on isolation: isolated (any Actor)?) {
    precondition(canRun(on: isolation), "an action was to run on an actor that is not its own")
    // The language has no synchronous call of an `@isolated(any)` function, because it cannot tell
    // statically what was just checked. Such functions differ from others in their type only.
    unsafeBitCast(body, to: (@Sendable () -> Void).self)()
  }

  /// Does it now if the caller is in the right place, and else as soon as that place is free.
  ///
  /// - Parameter completion: Called afterwards.
  func start(
    from isolation: isolated (any Actor)?,
    then completion: @escaping @Sendable () -> Void
  ) {
    if canRun(on: isolation) {
      run(on: isolation)
      completion()
    } else {
      Task {
        await body()
        completion()
      }
    }
  }
}
