import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPStub.Request {
  /// Makes a request from Foundation's, and reads its body wherever it is.
  init(_ request: URLRequest, _ client: LoadingClient, _ session: StubbedSession) async throws {
    self.init(
      request, headers: session.additionalHeaders,
      body: try await Self.body(of: request, client, session))
  }

  /// Makes a request from Foundation's, with what is known besides.
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
          The body of a streamed upload cannot be read, since the delegate that provides it is not \
          known. Have the session made by 'makeSession(delegate:)'.
          """)
      }
      return try await bodyStream(of: task, session, delegate).map { try read($0.value) } ?? Data()
    case .unknown:
      throw HTTPStubError(
        """
        The body of an upload cannot be read: this version of Foundation keeps it elsewhere. Give it to \
        the request, as 'httpBody', or use the mock server.
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

  /// Asks the delegate for the body, as a streamed upload does.
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
  /// Makes Foundation's request from one that a stub has got.
  init(_ request: HTTPStub.Request) {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    allHTTPHeaderFields = request.headers.dictionary
    httpBody = request.body.isEmpty ? nil : request.body
  }
}

/// Where the body of an upload task is.
private enum UploadBody {
  case none
  case data(Data)
  case file(URL)
  case stream(InputStream)
  /// The delegate provides a stream when it is asked.
  case fromDelegate
  case unknown

  /// On Linux only the task itself knows, which keeps it to itself.
  init(of task: URLSessionUploadTask) {
    var mirror: Mirror? = Mirror(reflecting: task)
    while let current = mirror, current.descendant("knownBody") == nil {
      mirror = current.superclassMirror
    }
    guard let body = mirror?.descendant("knownBody") else {
      self = .unknown
      return
    }
    // An optional of an enumeration, whose only child is what the case carries.
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

/// Hands a value from one thread to another, neither of which uses it afterwards.
struct UncheckedBox<Value>: @unchecked Sendable {
  // Sendable because whoever puts the value in does not touch it any more.
  let value: Value

  init(_ value: Value) { self.value = value }
}
