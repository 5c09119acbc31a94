import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPStub.Request {
  /// Creates a request from Foundation's, and reads its body from data, a stream or a file.
  init(_ request: URLRequest, _ client: LoadingClient, _ session: StubbedSession) async throws {
    self.init(
      request, headers: session.additionalHeaders,
      body: try await Self.body(of: request, client, session))
  }

  /// Creates a request from Foundation's, with further header fields and a body.
  init(_ request: URLRequest, headers: HTTPStub.Headers = [:], body: Data? = nil) {
    var headers = headers
    for (name, value) in request.allHTTPHeaderFields ?? [:] { headers[name] = value }
    self.init(
      HTTPStub.Method(rawValue: request.httpMethod ?? "GET"),
      // Foundation does not start to load a request without a URL.
      request.url ?? URL(fileURLWithPath: "/"), headers: headers,
      body: body ?? request.httpBody ?? Data())
  }

  private static func body(
    of request: URLRequest, _ client: LoadingClient, _ session: StubbedSession
  ) async throws -> Data {
    if let body = request.httpBody { return body }
    if let stream = request.httpBodyStream { return try read(stream) }
    guard let task = client.task as? URLSessionUploadTask else { return Data() }
    switch UploadBody(of: task) {
    case .data(let data): return data
    case .file(let url): return try Data(contentsOf: url)
    case .stream(let stream): return try read(stream)
    case .none: return Data()
    case .fromDelegate:
      guard let session = session.urlSession, let delegate = task.delegate else {
        throw HTTPStubError(
          """
          The body of a streamed upload cannot be read, because the delegate that provides it is not \
          known. Create the session with 'makeSession(delegate:)'.
          """)
      }
      return try await bodyStream(of: task, session, delegate).map { try read($0.value) } ?? Data()
    case .unknown:
      throw HTTPStubError(
        """
        The body of an upload cannot be read, because this version of Foundation stores it in another \
        place. Set the body as 'httpBody' of the request, or use the mock server.
        """)
    }
  }

  private static func read(_ stream: InputStream) throws -> Data {
    stream.open()
    defer { stream.close() }
    var body = Data()
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      if count < 0 { throw stream.streamError ?? URLError(.requestBodyStreamExhausted) }
      if count == 0 { return body }
      body.append(contentsOf: buffer[..<count])
    }
  }

  /// Gets the body from the delegate, as a streamed upload does.
  private static func bodyStream(
    of task: URLSessionTask, _ session: URLSession, _ delegate: any URLSessionTaskDelegate
  ) async -> UncheckedBox<InputStream>? {
    await withUnsafeContinuation { continuation in
      session.delegateQueue.addOperation {
        #if canImport(FoundationNetworking)
          delegate.urlSession(session, task: task) { stream in
            continuation.resume(returning: stream.map { UncheckedBox($0) })
          }
        #else
          continuation.resume(returning: nil)
        #endif
      }
    }
  }
}

extension URLRequest {
  /// Creates Foundation's request from one that a stub has received.
  init(_ request: HTTPStub.Request) {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    allHTTPHeaderFields = request.headers.dictionary
    httpBody = request.body.isEmpty ? nil : request.body
  }
}

/// The place of the body of an upload task.
private enum UploadBody {
  case none
  case data(Data)
  case file(URL)
  case stream(InputStream)
  /// The delegate provides a stream on request.
  case fromDelegate
  case unknown

  /// On Linux only a private property of the task has the body.
  init(of task: URLSessionUploadTask) {
    var mirror: Mirror? = Mirror(reflecting: task)
    while let current = mirror, current.descendant("knownBody") == nil {
      mirror = current.superclassMirror
    }
    guard let body = mirror?.descendant("knownBody") else {
      self = .unknown
      return
    }
    // An optional enumeration, whose only child is the associated value of the case.
    switch Mirror(reflecting: body).descendant("some").map({ Mirror(reflecting: $0) }) {
    case nil: self = .fromDelegate
    case let known?:
      switch known.children.first?.value {
      case nil: self = .none
      case let data as DispatchData: self = .data(Data(data))
      case let url as URL: self = .file(url)
      case let stream as InputStream: self = .stream(stream)
      default: self = .unknown
      }
    }
  }
}

/// Passes a value from one thread to another.
struct UncheckedBox<Value>: @unchecked Sendable {
  // Sendable because the thread that passes the value does not use it afterwards.
  let value: Value

  init(_ value: Value) { self.value = value }
}
