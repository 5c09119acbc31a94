#if AsyncHTTPClient
  import AsyncHTTPClient
  import NIOHTTP1

  extension HTTPClientRequest {
    /// Whether the request has the same effect when it is sent twice (RFC 9110, 9.2.2), or lets the
    /// server notice it.
    var isIdempotent: Bool {
      switch method {
      case .GET, .HEAD, .OPTIONS, .TRACE, .PUT, .DELETE: true
      default: headers.contains(name: "Idempotency-Key")
      }
    }

    /// Whether the body is in memory.
    ///
    /// The client keeps to itself what kind of body it has. A kind that is not known here is taken
    /// for a stream.
    var canBeSentAgain: Bool {
      guard let body else { return true }
      guard let mode = Mirror(reflecting: body).descendant("mode"),
        let kind = Mirror(reflecting: mode).children.first
      else { return false }
      return switch kind.label {
      case "byteBuffer": true
      case "sequence":
        Mirror(reflecting: kind.value).descendant("canBeConsumedMultipleTimes") as? Bool ?? false
      default: false
      }
    }
  }
#endif
