/// The first of several results, for one task that waits.
///
/// Any thread may set a result.
package final class FirstResult<Value: Sendable>: Sendable {
  private enum State {
    case none
    case awaited(UnsafeContinuation<Value, any Error>)
    case some(Result<Value, any Error>)
  }

  private let state = Lock(State.none)

  /// There is no result.
  package init() {}

  /// Sets the result, or returns `false` if it is not the first one.
  @discardableResult package func set(_ result: Result<Value, any Error>) -> Bool {
    let (isFirst, continuation) = state.withLock { state in
      defer { if case .some = state {} else { state = .some(result) } }
      switch state {
      case .none: return (true, nil as UnsafeContinuation<Value, any Error>?)
      case .awaited(let continuation): return (true, continuation)
      case .some: return (false, nil)
      }
    }
    continuation?.resume(with: result)
    return isFirst
  }

  /// The result, or `nil` if there is none yet.
  package var valueIfSet: Result<Value, any Error>? {
    state.withLock { if case .some(let result) = $0 { result } else { nil } }
  }

  /// The result, as soon as there is one; awaited by one task.
  package var value: Value {
    get async throws {
      try await withUnsafeThrowingContinuation { continuation in
        let result: Result<Value, any Error>? = state.withLock { state in
          guard case .some(let result) = state else {
            state = .awaited(continuation)
            return nil
          }
          return result
        }
        if let result { continuation.resume(with: result) }
      }
    }
  }
}
