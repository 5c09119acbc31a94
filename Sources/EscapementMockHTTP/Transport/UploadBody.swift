import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// The place of the body of an upload task, which on Linux only a private property of the task
  /// has.
  enum UploadBody {
    case none
    case data(Data)
    case file(URL)
    case stream(InputStream)
    /// The delegate provides a stream on request.
    case fromDelegate
    case unknown

    private init(of task: URLSessionUploadTask) {
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

    /// Reads the body of a task.
    static func read(
      of task: URLSessionUploadTask, _ session: StubbedSession
    ) async throws -> Data {
      switch Self(of: task) {
      case .data(let data): return data
      case .file(let url): return try Data(contentsOf: url)
      case .stream(let stream): return try stream.readToEnd()
      case .none: return Data()
      case .fromDelegate:
        guard let session = session.urlSession, let delegate = task.delegate else {
          throw HTTPStubError(
            """
            The body of a streamed upload cannot be read, because the delegate that provides it is \
            not known. Create the session with 'makeSession(delegate:)'.
            """)
        }
        return try await stream(of: task, session, delegate)?.value.readToEnd() ?? Data()
      case .unknown:
        throw HTTPStubError(
          """
          The body of an upload cannot be read, because this version of Foundation stores it in \
          another place. Set the body as 'httpBody' of the request, or use the mock server.
          """)
      }
    }

    /// Gets the body from the delegate, as a streamed upload does.
    private static func stream(
      of task: URLSessionTask, _ session: URLSession, _ delegate: any URLSessionTaskDelegate
    ) async -> UncheckedBox<InputStream>? {
      await withUnsafeContinuation { continuation in
        session.delegateQueue.addOperation {
          delegate.urlSession(session, task: task) { stream in
            continuation.resume(returning: stream.map { UncheckedBox($0) })
          }
        }
      }
    }
  }
#else
  /// The body of an upload task that Foundation has not passed to the protocol.
  ///
  /// Apple's Foundation asks the delegate for the stream of a streamed upload itself, and passes
  /// the bodies of requests to protocols as `httpBodyStream`. Its documentation does not promise
  /// that for uploads. So an upload that arrives without a stream is refused, unless its body is
  /// known to be empty.
  enum UploadBody {
    /// Reads the body of a task.
    static func read(
      of task: URLSessionUploadTask, _ session: StubbedSession
    ) async throws -> Data {
      if task.countOfBytesExpectedToSend == 0 { return Data() }
      throw HTTPStubError(
        """
        The body of an upload cannot be read, because Foundation has passed no 'httpBodyStream' to \
        'URLProtocol'. Set the body as 'httpBody' of the request, or use the mock server.
        """)
    }
  }
#endif
