public import Foundation

/// The error of a request that a double could not answer.
///
/// The test has failed for the same reason.
public struct HTTPStubError: LocalizedError, CustomStringConvertible, Sendable {
  /// What happened, what it may mean, and what to do.
  public let description: String

  /// What happened, what it may mean, and what to do.
  public var errorDescription: String? { description }

  package init(_ description: String) { self.description = description }
}
