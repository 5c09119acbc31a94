public import Foundation

extension HTTPStub {
  /// The answer to a request.
  ///
  /// ```swift
  /// http.stub(.get, "/users/:id", returns: .json(user).delayed(by: .seconds(30)))
  /// ```
  public struct Response: Sendable {
    /// The end of the response, after the body has been sent.
    package enum Ending: Sendable {
      case finished
      case failed(any Error)
      /// The response never ends; the client cancels the request, or the request times out.
      case never
    }

    /// A fault of a connection, which `URLProtocol` cannot produce.
    package enum Fault: Sendable {
      case reset
      case closed
      case truncated
    }

    package struct Chunk: Sendable {
      package var data: Data
      /// The time between the previous chunk and this one.
      package var delay: Duration
    }

    package enum Kind: Sendable {
      case answer
      case passthrough
      case fault(Fault)
    }

    package var kind = Kind.answer
    /// `nil` if the client does not even get a status.
    package var status: Int?
    package var headers: Headers = [:]
    package var chunks: [Chunk] = []
    package var ending = Ending.finished
    package var delay = Duration.zero
    /// Why the arguments of the response are invalid.
    ///
    /// Reported at the line of the stub.
    package var refusal: String?

    package init(status: Int? = nil) { self.status = status }

    /// The whole body.
    package var body: Data {
      chunks.count == 1 ? chunks[0].data : Data(chunks.map(\.data).joined())
    }
  }
}

extension HTTPStub.Response {
  /// Answers with a status, such as 404, and no body.
  public static func status(_ status: Int) -> Self { Self(status: status) }

  /// Answers with data.
  public static func data(
    _ data: Data, contentType: String = "application/octet-stream", status: Int = 200
  ) -> Self {
    chunks([data], contentType: contentType, status: status)
  }

  /// Answers with text, in UTF-8.
  public static func text(
    _ text: String, contentType: String = "text/plain; charset=utf-8", status: Int = 200
  ) -> Self {
    data(Data(text.utf8), contentType: contentType, status: status)
  }

  /// Answers with a value, as JSON.
  ///
  /// A value that cannot be encoded fails the request and the test.
  public static func json(
    _ value: some Encodable, status: Int = 200, encoder: JSONEncoder = JSONEncoder()
  ) -> Self {
    do {
      return data(try encoder.encode(value), contentType: "application/json", status: status)
    } catch {
      return refused("A '\(type(of: value))' cannot be encoded as JSON: \(error)")
    }
  }

  /// Answers with the content of a file.
  ///
  /// A file that cannot be read fails the request and the test.
  ///
  /// - Parameters:
  ///   - url: The location of the file.
  ///   - contentType: The type of the content. The default depends on the extension: `json`, `txt`
  ///     and `html` are known.
  ///   - status: The status.
  public static func file(_ url: URL, contentType: String? = nil, status: Int = 200) -> Self {
    let types = ["json": "application/json", "txt": "text/plain", "html": "text/html"]
    let type = contentType ?? types[url.pathExtension] ?? "application/octet-stream"
    do {
      return data(try Data(contentsOf: url), contentType: type, status: status)
    } catch {
      return refused("The file \(url.path) cannot be read: \(error)")
    }
  }

  /// Answers with a body in several chunks.
  ///
  /// - Parameters:
  ///   - chunks: The chunks. The first one is sent together with the status.
  ///   - interval: The time between one chunk and the next.
  ///   - contentType: The type of the content.
  ///   - status: The status.
  public static func chunks(
    _ chunks: [Data], every interval: Duration = .zero,
    contentType: String = "application/octet-stream", status: Int = 200
  ) -> Self {
    var response = Self(status: status)
    response.headers["Content-Type"] = contentType
    response.chunks = chunks.enumerated().map {
      Chunk(data: $1, delay: $0 == 0 ? .zero : interval)
    }
    return response
  }

  /// Does not answer.
  ///
  /// The request ends when it is cancelled or times out.
  public static var never: Self {
    var response = Self()
    response.ending = .never
    return response
  }

  /// Fails the request with an error, such as `URLError(.notConnectedToInternet)`.
  public static func failing(_ error: URLError) -> Self { Self().failing(error) }

  /// Redirects the client.
  ///
  /// - Parameters:
  ///   - location: The target: a URL, or a path on the same server.
  ///   - status: The status, from 300 to 399.
  public static func redirect(to location: String, status: Int = 302) -> Self {
    guard (300...399).contains(status) else {
      return refused("\(status) is not a redirection status; use 300...399.")
    }
    return .status(status).header("Location", location)
  }

  /// Sends the request to the real server, and answers with its response.
  public static var passthrough: Self {
    var response = Self()
    response.kind = .passthrough
    return response
  }

  private static func refused(_ refusal: String) -> Self {
    var response = Self()
    response.refusal = refusal
    return response
  }
}

// MARK: - Modifiers

extension HTTPStub.Response {
  /// Returns the response with a further header field.
  ///
  /// A field may be repeated, as `Set-Cookie` is. A field that a response has at most once, such as
  /// `Content-Type` or `Location`, is replaced.
  public func header(_ name: String, _ value: String) -> Self {
    var response = self
    if HTTPStub.Headers.singleNames.contains(name.lowercased()) {
      response.headers[name] = value
    } else {
      response.headers.append(value, to: name)
    }
    return response
  }

  /// Returns the response with a delay before its first part.
  public func delayed(by delay: Duration) -> Self {
    var response = self
    response.delay += delay
    return response
  }

  /// Returns the response with an error after its body.
  public func failing(_ error: URLError) -> Self {
    var response = self
    response.ending = .failed(error)
    return response
  }

  /// Why this response to a request with this method is invalid; `nil` if it is valid.
  package func problem(for method: HTTPStub.Method) -> String? {
    if let refusal { return refusal }
    guard case .answer = kind else { return nil }
    if let negative = ([delay] + chunks.map(\.delay)).first(where: { $0 < .zero }) {
      return "A delay must not be negative (got \(negative))."
    }
    guard let status else { return nil }
    guard (100...599).contains(status) else {
      return "\(status) is not a valid HTTP status; use 200...599."
    }
    guard status >= 200 else {
      return "The status \(status) is an interim response; use 200...599."
    }
    if let problem = headers.problem { return problem }
    let size = chunks.reduce(0) { $0 + $1.data.count }
    if size > 0, status == 204 || status == 304 {
      return "A response with the status \(status) must not have a body (got \(size) bytes)."
    }
    guard let promised = headers["Content-Length"], case .finished = ending,
      method != .head, status != 304, Int(promised) != size
    else { return nil }
    return "'Content-Length' is \(promised), but the body has \(size) bytes."
  }
}
