import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPStub.Request {
  /// Makes a request from Foundation's, and reads its body wherever it is.
  init(_ request: URLRequest, _ client: LoadingClient, _ session: StubbedSession) async throws {
    guard let url = request.url else { throw URLError(.badURL) }
    var headers = session.additionalHeaders
    for (name, value) in request.allHTTPHeaderFields ?? [:] { headers[name] = value }
    self.init(
      HTTPStub.Method(rawValue: request.httpMethod ?? "GET"), url, headers: headers,
      body: try await Self.body(of: request, client, session))
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
    case .askDelegate:
      guard let stream = await bodyStream(of: task, session.urlSession) else { return Data() }
      return try read(stream.value)
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
    of task: URLSessionTask, _ session: URLSession?
  ) async -> UncheckedBox<InputStream>? {
    guard let session, let delegate = task.delegate else { return nil }
    return await withUnsafeContinuation { continuation in
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

/// Where the body of an upload task is.
private enum UploadBody {
  case data(Data)
  case file(URL)
  case stream(InputStream)
  case askDelegate

  /// On Linux only the task itself knows, which keeps it to itself.
  init(of task: URLSessionUploadTask) {
    var mirror: Mirror? = Mirror(reflecting: task)
    while let current = mirror, current.descendant("knownBody") == nil {
      mirror = current.superclassMirror
    }
    // An optional of an enumeration, whose only child is named after the case.
    guard let known = mirror?.descendant("knownBody", "some"),
      let value = Mirror(reflecting: known).children.first?.value
    else {
      self = .askDelegate
      return
    }
    switch value {
    case let data as DispatchData: self = .data(Data(data))
    case let url as URL: self = .file(url)
    case let stream as InputStream: self = .stream(stream)
    default: self = .askDelegate
    }
  }
}

/// Hands a value from one thread to another, neither of which uses it afterwards.
struct UncheckedBox<Value>: @unchecked Sendable {
  // Sendable because whoever puts the value in does not touch it any more.
  let value: Value

  init(_ value: Value) { self.value = value }
}
