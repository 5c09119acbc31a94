/// A closure that runs once, on the actor on which it was written.
struct Action: Sendable {
  private let body: @Sendable @isolated(any) () -> Void

  init(_ body: @escaping @Sendable @isolated(any) () -> Void) {
    self.body = body
  }

  /// The actor on which the closure has to run; `nil` if it may run anywhere.
  var isolation: (any Actor)? { body.isolation }

  /// Whether the closure can run on the actor of the caller.
  func canRun(on isolation: (any Actor)?) -> Bool {
    guard let required = self.isolation else { return true }
    return required === isolation
  }

  /// Runs the closure now.
  func run(on isolation: isolated (any Actor)?) {
    precondition(canRun(on: isolation), "An action has to run on the actor of its closure.")
    // The language has no synchronous call of an `@isolated(any)` function, because the compiler
    // cannot check the isolation. The precondition just has. Such functions differ from others only
    // in their type. The cast is of the structure, whose only property is the function: the runtime
    // knows the type of the function itself since macOS 15.
    unsafeBitCast(self, to: (@Sendable () -> Void).self)()
  }

  /// Runs the closure as soon as its actor is free.
  func callAsFunction() async { await body() }
}
