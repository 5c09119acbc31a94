#if MockServer
  import EscapementMockServer
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// The result of a request of a real session.
  struct Loaded: Equatable {
    var status: Int
    var text: String
  }

  /// Loads a path of a server with a session of its own.
  func load(
    _ path: String, from server: MockServer, method: String = "GET", body: Data? = nil,
    headers: [String: String] = [:]
  ) async throws -> Loaded {
    let session = URLSession(configuration: .patient)
    defer { session.finishTasksAndInvalidate() }
    return try await session.load(path, from: server, method: method, body: body, headers: headers)
  }

  extension URLSessionConfiguration {
    /// Beside all other tests, an answer may take longer than the usual minute.
    static var patient: URLSessionConfiguration {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = 600
      return configuration
    }
  }

  extension URLSession {
    func load(
      _ path: String, from server: MockServer, method: String = "GET", body: Data? = nil,
      headers: [String: String] = [:]
    ) async throws -> Loaded {
      var request = URLRequest(url: URL(string: server.url.absoluteString + path)!)
      request.httpMethod = method
      request.httpBody = body
      for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      let (data, response) = try await data(for: request)
      return Loaded(
        status: (response as! HTTPURLResponse).statusCode,
        text: String(decoding: data, as: UTF8.self)
      )
    }
  }

  /// The code of the error that a body throws.
  func errorCode(_ body: () async throws -> Void) async -> URLError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? URLError)?.code
    }
  }
#endif
