public import Foundation

extension HTTPStub {
  /// What is answered to a request.
  ///
  /// ```swift
  /// http.stub(.get, "/users/:id", returns: .json(user).delayed(by: .seconds(30)))
  /// ```
  public struct Response: Sendable {
    /// How it goes on when the body has been sent.
    package enum Ending: Sendable {
      case finished
      case failed(any Error)
      /// Nothing comes any more, until somebody loses patience.
      case never
    }

    /// What only a connection can do, and not `URLProtocol`.
    package enum Fault: Sendable {
      case reset
      case closed
      case truncated
    }

    package struct Chunk: Sendable {
      package var data: Data
      /// How long after the one before it comes.
      package var delay: Duration
    }

    package enum Kind: Sendable {
      case answer
      case passthrough
      case fault(Fault)
    }

    package var kind = Kind.answer
    /// `nil` if not even a status comes.
    package var status: Int?
    package var headers: Headers = [:]
    package var chunks: [Chunk] = []
    package var ending = Ending.finished
    package var delay = Duration.zero
    /// Why this is no response; reported at the line of the stub.
    package var refusal: String?

    package init(status: Int? = nil) { self.status = status }

    /// The whole body.
    package var body: Data {
      chunks.count == 1 ? chunks[0].data : Data(chunks.map(\.data).joined())
    }
  }
}

extension HTTPStub.Response {
  /// A status, such as 404, without a body.
  public static func status(_ status: Int) -> Self { Self(status: status) }

  /// Data.
  public static func data(
    _ data: Data, contentType: String = "application/octet-stream", status: Int = 200
  ) -> Self {
    chunks([data], contentType: contentType, status: status)
  }

  /// Text, as UTF-8.
  public static func text(
    _ text: String, contentType: String = "text/plain; charset=utf-8", status: Int = 200
  ) -> Self {
    data(Data(text.utf8), contentType: contentType, status: status)
  }

  /// A value, as JSON.
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

  /// What a file contains.
  ///
  /// A file that cannot be read fails the request and the test.
  ///
  /// - Parameters:
  ///   - url: Where the file is.
  ///   - contentType: The default is derived from the extensions `json`, `txt` and `html`.
  ///   - status: The status.
  public static func file(_ url: URL, contentType: String? = nil, status: Int = 200) -> Self {
    let types = ["json": "application/json", "txt": "text/plain", "html": "text/html"]
    let type = contentType ?? types[url.pathExtension] ?? "application/octet-stream"
    do {
      return data(try Data(contentsOf: url), contentType: type, status: status)
    } catch {
      return refused("The file \(url.path) was to be sent, and cannot be read: \(error)")
    }
  }

  /// A body that comes bit by bit.
  ///
  /// - Parameters:
  ///   - chunks: The bits, of which the first comes with the status.
  ///   - interval: How long after the one before each of the others comes.
  ///   - contentType: The type of the whole.
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

  /// No answer, until the request is cancelled or times out.
  public static var never: Self {
    var response = Self()
    response.ending = .never
    return response
  }

  /// No answer but an error, such as `URLError(.notConnectedToInternet)`.
  public static func failing(_ error: URLError) -> Self { Self().failing(error) }

  /// Sends the client elsewhere.
  ///
  /// - Parameters:
  ///   - location: Where to: a URL, or a path of the same server.
  ///   - status: The status, from 300 to 399.
  public static func redirect(to location: String, status: Int = 302) -> Self {
    guard (300...399).contains(status) else {
      return refused("\(status) is no status of a redirection. These are 300 to 399.")
    }
    return .status(status).header("Location", location)
  }

  /// What the real server answers.
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

// MARK: - With more

extension HTTPStub.Response {
  /// The same with a header field.
  public func header(_ name: String, _ value: String) -> Self {
    var response = self
    response.headers[name] = value
    return response
  }

  /// The same, later.
  public func delayed(by delay: Duration) -> Self {
    var response = self
    response.delay += delay
    return response
  }

  /// The same, but after the body the connection fails.
  public func failing(_ error: URLError) -> Self {
    var response = self
    response.ending = .failed(error)
    return response
  }

  /// Why nobody can send this to a request of a method, if so.
  package func problem(for method: HTTPStub.Method) -> String? {
    if let refusal { return refusal }
    guard case .answer = kind else { return nil }
    if let negative = ([delay] + chunks.map(\.delay)).first(where: { $0 < .zero }) {
      return "A delay of \(negative) is negative."
    }
    guard let status else { return nil }
    guard (100...599).contains(status) else {
      return "\(status) is no status of HTTP. These are 100 to 599."
    }
    let size = chunks.reduce(0) { $0 + $1.data.count }
    if size > 0, status < 200 || status == 204 || status == 304 {
      return "A response of status \(status) has no body, but this one has \(size) bytes."
    }
    guard let promised = headers["Content-Length"], case .finished = ending,
      method != .head, status != 304, Int(promised) != size
    else { return nil }
    return "The header promises a body of \(promised) bytes, but it has \(size)."
  }
}
