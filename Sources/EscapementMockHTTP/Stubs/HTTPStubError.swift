public import Foundation

/// A request that a double did not answer; the test has failed for the same reason.
public struct HTTPStubError: LocalizedError, CustomStringConvertible, Sendable {
  /// What happened, and what to do.
  public let description: String

  /// What happened, and what to do.
  public var errorDescription: String? { description }

  package init(_ description: String) { self.description = description }
}
