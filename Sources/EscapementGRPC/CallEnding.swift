#if GRPC
  import Escapement
  import GRPCCore
  import _EscapementCore

  /// How a call has ended.
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  enum CallEnding: Hashable, Sendable {
    case completed
    case failed(RPCError.Code)
    case cancelled
    /// Another interceptor has refused the call, so it does not tell of the service.
    case refused

    /// - Parameters:
    ///   - isExpired: Whether the timeout of the call has passed.
    ///   - isCancelled: Whether the task was cancelled.
    init(_ error: any Error, isExpired: Bool, isCancelled: Bool) {
      let code = (error as? RPCError)?.code ?? .unknown
      let cause = (error as? RPCError)?.cause
      self =
        if cause is CircuitOpenError || cause is CallThrottledError {
          .refused
        } else if code == .cancelled || error is CancellationError || isCancelled {
          // gRPC cancels a call at its timeout.
          isExpired ? .failed(.deadlineExceeded) : .cancelled
        } else {
          .failed(code)
        }
    }

    /// The error of the call's event, without what the service has sent.
    ///
    /// - Parameter error: The error with which the call has ended.
    func eventError(for error: any Error) -> (any Error)? {
      switch self {
      case .completed: nil
      case .failed(let code): RPCError(code: code, message: "The call has failed.")
      case .cancelled: CancellationError()
      case .refused: (error as? RPCError)?.cause ?? error
      }
    }
  }

  /// Makes a call, and tells once how it has ended, with the error of its event.
  ///
  /// An answer that is dropped before its end is cancelled.
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  @concurrent func watching<Input, Output>(
    _ request: StreamingClientRequest<Input>,
    onEnd: @escaping @Sendable (CallEnding, (any Error)?) -> Void,
    call: @concurrent () async throws -> StreamingClientResponse<Output>
  ) async throws -> StreamingClientResponse<Output> {
    let ending = EndOnce(onEnd)
    let deadline = Timeout.of(request.metadata).map { ContinuousClock.now + $0 }
    let fail: @Sendable (any Error) -> Void = { error in
      let isExpired =
        deadline.map { $0 <= .now } ?? false || Task.cancellationReason == .deadlineExpired
      ending.tell(
        CallEnding(error, isExpired: isExpired, isCancelled: Task.isCancelled), error)
    }
    var response: StreamingClientResponse<Output>
    do {
      response = try await call()
    } catch {
      fail(error)
      throw error
    }
    switch response.accepted {
    case .failure(let error): fail(error)
    case .success(var contents):
      contents.bodyParts = RPCAsyncSequence(
        wrapping: WatchedParts(
          base: contents.bodyParts, onEnd: { ending.tell(.completed) }, fail: fail))
      response.accepted = .success(contents)
    }
    return response
  }

  /// Tells an end once, at the latest when nobody can tell another one.
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  private final class EndOnce: Sendable {
    private let onEnd: Lock<(@Sendable (CallEnding, (any Error)?) -> Void)?>

    init(_ onEnd: @escaping @Sendable (CallEnding, (any Error)?) -> Void) {
      self.onEnd = Lock(onEnd)
    }

    deinit { tell(.cancelled) }

    func tell(_ ending: CallEnding, _ error: (any Error)? = nil) {
      onEnd.withLock { $0.take() }?(ending, ending.eventError(for: error ?? CancellationError()))
    }
  }

  /// The parts of an answer, whose end is told.
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  private struct WatchedParts<Part: Sendable>: AsyncSequence, Sendable {
    typealias Element = Part
    typealias Failure = any Error
    let base: RPCAsyncSequence<Part, any Error>
    let onEnd: @Sendable () -> Void
    let fail: @Sendable (any Error) -> Void

    func makeAsyncIterator() -> Iterator {
      Iterator(base: base.makeAsyncIterator(), onEnd: onEnd, fail: fail)
    }

    struct Iterator: AsyncIteratorProtocol {
      var base: RPCAsyncSequence<Part, any Error>.AsyncIterator
      let onEnd: @Sendable () -> Void
      let fail: @Sendable (any Error) -> Void
      var hasEnded = false

      mutating func next(isolation actor: isolated (any Actor)?) async throws -> Part? {
        do {
          let part = try await base.next(isolation: actor)
          if part == nil, !hasEnded {
            hasEnded = true
            onEnd()
          }
          return part
        } catch {
          if !hasEnded {
            hasEnded = true
            fail(error)
          }
          throw error
        }
      }
    }
  }

  /// The timeout that gRPC sends with a call.
  enum Timeout {
    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    static func of(_ metadata: Metadata) -> Duration? {
      metadata[stringValues: "grpc-timeout"].first { _ in true }.flatMap(duration)
    }

    /// The duration of up to eight digits and a unit, such as `4999998u`, less a thousandth,
    /// because the sender rounds up; `nil` if the text has another form.
    static func duration(_ text: String) -> Duration? {
      let digits = text.dropLast()
      guard 1...8 ~= digits.utf8.count, digits.utf8.allSatisfy({ 48...57 ~= $0 }),
        let amount = Int64(digits)
      else { return nil }
      let duration: Duration? =
        switch text.last {
        case "H": .seconds(amount * 3_600)
        case "M": .seconds(amount * 60)
        case "S": .seconds(amount)
        case "m": .milliseconds(amount)
        case "u": .microseconds(amount)
        case "n": .nanoseconds(amount)
        default: nil
        }
      return duration.map { $0 * 999 / 1_000 }
    }
  }
#endif
