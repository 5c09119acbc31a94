#if AsyncHTTPClient
  import AsyncHTTPClient
  import Escapement
  import NIOCore
  import NIOHTTP1
  import NIOPosix

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #endif

  /// The meaning of an error for the request.
  enum RequestFailure: Hashable {
    /// No host has got anything of the request, unless the client was redirected.
    case unsent
    /// A host may have got the request.
    case interrupted
    /// A host has refused the request, and says when to try again.
    case refused(retryAfter: Duration?)
    /// Another attempt would fail, too.
    case final

    init(_ error: any Error) {
      switch error {
      case let error as RefusedStatus: self = .refused(retryAfter: error.retryAfter)
      case is NIOConnectionError: self = .unsent
      case let error as IOError: self = error.errnoCode == ECONNREFUSED ? .unsent : .interrupted
      case ChannelError.connectTimeout: self = .unsent
      case let error as HTTPClientError:
        self =
          Self.connectionErrors.contains(error)
          ? .unsent : Self.interruptions.contains(error) ? .interrupted : .final
      case is CircuitOpenError, is ConcurrencyLimitError, is CallThrottledError, is QuotaError,
        is InvalidArgumentError, is NIOTooManyBytesError, is CancellationError:
        self = .final
      default: self = .interrupted
      }
    }

    /// Whether to send the request again.
    func decision(
      isIdempotent: Bool, canBeSentAgain: Bool, followsRedirects: Bool
    ) -> RetryDecision {
      guard canBeSentAgain else { return .fail }
      switch self {
      case .final: return .fail
      case .unsent: return isIdempotent || !followsRedirects ? .retry : .fail
      case .interrupted: return isIdempotent ? .retry : .fail
      case .refused(let delay):
        guard isIdempotent else { return .fail }
        // At once, all clients would come back together.
        return delay.map { $0 > .zero ? .retryAfter($0) : .retry } ?? .retry
      }
    }

    /// The client fails before it has a connection.
    private static let connectionErrors: [HTTPClientError] = [
      .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout,
      .httpProxyHandshakeTimeout,
    ]

    /// The others tell of a mistake in the request or in the setup of the client.
    private static let interruptions: [HTTPClientError] = [
      .remoteConnectionClosed, .readTimeout, .writeTimeout, .deadlineExceeded, .uncleanShutdown,
    ]
  }

  extension RequestFailure {
    /// Whether the failure counts as one of the host; `nil` if it does not tell.
    func isFaultOfHost(isCancelled: Bool, reason: CancellationError.Reason?) -> Bool? {
      if isCancelled { return reason == .deadlineExpired ? true : nil }
      return self == .final ? nil : true
    }
  }

  /// An answer with a status after which the request is sent again.
  struct RefusedStatus: Error, Hashable, CustomStringConvertible {
    let code: UInt
    let retryAfter: Duration?

    init(_ response: HTTPClientResponse, longestDelay: Duration) {
      code = response.status.code
      retryAfter = response.headers.first(name: "Retry-After")
        .flatMap { RetryAfter.delay($0, now: WallClock().now) }.map { min($0, longestDelay) }
    }

    var description: String { "The server has answered with the status \(code)." }
  }
#endif
