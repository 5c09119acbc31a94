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
    if let stream = request.httpBodyStream { return try stream.readToEnd() }
    guard let task = client.task as? URLSessionUploadTask else { return Data() }
    return try await UploadBody.read(of: task, session)
  }
}

extension InputStream {
  /// Opens the stream, reads it to its end, and closes it.
  func readToEnd() throws -> Data {
    open()
    defer { close() }
    var body = Data()
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(&buffer, maxLength: buffer.count)
      if count < 0 { throw streamError ?? URLError(.requestBodyStreamExhausted) }
      if count == 0 { return body }
      body.append(contentsOf: buffer[..<count])
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

/// Passes a value from one thread to another.
struct UncheckedBox<Value>: @unchecked Sendable {
  // Sendable because the thread that passes the value does not use it afterwards.
  let value: Value

  init(_ value: Value) { self.value = value }
}
