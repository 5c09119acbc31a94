import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The stubs and settings of a session, for its protocol class.
final class StubbedSession: Sendable {
  let stubs: HTTPStubTable
  let additionalHeaders: HTTPStub.Headers
  let cookies: SessionCookies
  /// The timeout of a request that has no timeout of its own.
  let requestTimeout: TimeInterval
  /// The timeout for a request with its whole answer.
  let resourceTimeout: TimeInterval

  /// `nil` if the session has no class of its own.
  private let slot: Slot?
  private let session = Lock<Weak>(Weak())

  private struct Weak {
    weak var session: URLSession?
  }

  /// - Parameter configuration: Changed so that all requests go to the stubs.
  init(_ stubs: HTTPStubTable, _ configuration: URLSessionConfiguration) {
    self.stubs = stubs
    requestTimeout = configuration.timeoutIntervalForRequest
    resourceTimeout = configuration.timeoutIntervalForResource
    var headers: HTTPStub.Headers = [:]
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
      headers["\(name)"] = "\(value)"
    }
    additionalHeaders = headers
    cookies = SessionCookies(configuration)
    let slot = Slots.shared.take()
    self.slot = slot
    // With a cache the request would be loaded on a thread that belongs to no test.
    configuration.urlCache = nil
    configuration.protocolClasses = [slot.protocolClass]
    LoadingQueue.prepare()
    Slots.shared.set(self, for: slot)
  }

  /// Creates a session that has no class of its own, and default settings.
  init(_ stubs: HTTPStubTable) {
    self.stubs = stubs
    requestTimeout = URLSessionConfiguration.default.timeoutIntervalForRequest
    resourceTimeout = URLSessionConfiguration.default.timeoutIntervalForResource
    additionalHeaders = [:]
    cookies = .none
    slot = nil
    LoadingQueue.prepare()
  }

  deinit {
    if let slot { Slots.shared.giveBack(slot) }
  }

  /// `nil` if the session was not created by `makeSession`, or has been released.
  var urlSession: URLSession? {
    get { session.withLock { $0.session } }
    set {
      let session = Weak(session: newValue)
      self.session.withLock { $0 = session }
    }
  }

  /// Keeps the class for ever, because the sessions that use it are not known.
  func keepForEver() { _ = Unmanaged.passRetained(self) }
}

/// The delegate queue of a session that was created without one.
///
/// The session keeps it alive.
final class StubbedSessionQueue: OperationQueue, @unchecked Sendable {
  // Sendable because its superclass is Sendable and the property is a constant.
  private let session: StubbedSession

  init(_ session: StubbedSession) {
    self.session = session
    super.init()
    maxConcurrentOperationCount = 1
  }
}
