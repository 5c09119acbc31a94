import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session whose requests are answered by stubs, as its protocol class finds it.
final class StubbedSession: Sendable {
  let stubs: HTTPStubTable
  let additionalHeaders: HTTPStub.Headers
  /// After how long without an answer a request fails that says nothing else.
  let requestTimeout: TimeInterval
  /// After how long a request fails.
  let resourceTimeout: TimeInterval

  /// `nil` for the one that answers whoever has no class of its own.
  private let slot: Slot?
  private let session = Lock<Weak>(Weak())

  private struct Weak {
    weak var session: URLSession?
  }

  /// - Parameter configuration: Is changed so that all requests go to the stubs.
  init(_ stubs: HTTPStubTable, _ configuration: URLSessionConfiguration) {
    self.stubs = stubs
    requestTimeout = configuration.timeoutIntervalForRequest
    resourceTimeout = configuration.timeoutIntervalForResource
    var headers: HTTPStub.Headers = [:]
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
      headers["\(name)"] = "\(value)"
    }
    additionalHeaders = headers
    let slot = Slots.shared.take()
    self.slot = slot
    // With a cache the request would be loaded on a thread that does not know who has made it.
    configuration.urlCache = nil
    configuration.protocolClasses = [slot.protocolClass]
    LoadingQueue.prepare()
    Slots.shared.set(self, for: slot)
  }

  /// Makes a session that has no class of its own, and nothing else that is known.
  init(_ stubs: HTTPStubTable) {
    self.stubs = stubs
    requestTimeout = URLSessionConfiguration.default.timeoutIntervalForRequest
    resourceTimeout = URLSessionConfiguration.default.timeoutIntervalForResource
    additionalHeaders = [:]
    slot = nil
    LoadingQueue.prepare()
  }

  deinit {
    if let slot { Slots.shared.giveBack(slot) }
  }

  /// `nil` if somebody else has made it, or it is gone.
  var urlSession: URLSession? {
    get { session.withLock { $0.session } }
    set {
      let session = Weak(session: newValue)
      self.session.withLock { $0 = session }
    }
  }

  /// Keeps the class from being given to somebody else, when nobody knows who uses it.
  func keepForEver() { _ = Unmanaged.passRetained(self) }
}

/// The queue of a session that has none of its own; it lives as long as the session.
final class StubbedSessionQueue: OperationQueue, @unchecked Sendable {
  // Sendable because its superclass is, and the property is a constant.
  private let session: StubbedSession

  init(_ session: StubbedSession) {
    self.session = session
    super.init()
    maxConcurrentOperationCount = 1
  }
}
