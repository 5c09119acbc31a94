import EscapementMockHTTP

#if MockServer

  extension HTTPStub.Response {
    /// The connection is reset instead of an answer.
    ///
    /// Like the other faults of a connection this is for mock servers only: in a `MockHTTP` it fails
    /// the test. A client that has used the connection before may repeat the request on a new one.
    public static var connectionReset: Self { fault(.reset) }

    /// The connection is closed instead of an answer.
    ///
    /// A client that has used the connection before may repeat the request on a new one.
    public static var connectionClosed: Self { fault(.closed) }

    /// The same, but the connection is closed before the body is complete.
    ///
    /// - Parameter count: How many bytes of the body are sent; if there are no more, the header promises
    ///   one byte more than there are.
    public func truncated(after count: Int) -> Self {
      var response = self
      guard count >= 0 else {
        response.refusal = "A body cannot be truncated after \(count) bytes."
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
