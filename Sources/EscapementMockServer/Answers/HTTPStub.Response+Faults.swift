import EscapementMockHTTP

#if MockServer

  extension HTTPStub.Response {
    /// Resets the connection instead of an answer.
    ///
    /// Only a mock server supports the faults of a connection; in a `MockHTTP` they fail the test.
    /// If the connection has served a request before, the client may repeat the request on a new
    /// connection.
    public static var connectionReset: Self { fault(.reset) }

    /// Closes the connection instead of an answer.
    ///
    /// If the connection has served a request before, the client may repeat the request on a new
    /// connection.
    public static var connectionClosed: Self { fault(.closed) }

    /// Returns the response, but closes the connection before the body is complete.
    ///
    /// - Parameter count: The number of bytes of the body that are sent. If the body is not longer
    ///   than this, `Content-Length` is one more than the length of the body.
    public func truncated(after count: Int) -> Self {
      var response = self
      guard count >= 0 else {
        response.refusal = "The count of 'truncated(after:)' must not be negative (got \(count))."
        return response
      }
      response.kind = .fault(.truncated)
      response.headers["Content-Length"] = "\(max(body.count, count + 1))"
      var rest = count
      response.chunks = chunks.map { chunk in
        var chunk = chunk
        chunk.data = chunk.data.prefix(rest)
        rest -= chunk.data.count
        return chunk
      }
      return response
    }

    private static func fault(_ fault: Fault) -> Self {
      var response = status(200)
      response.kind = .fault(fault)
      return response
    }
  }
#endif
