public import Foundation

/// The error of a request that a double could not answer.
///
/// The test has failed for the same reason.
public struct HTTPStubError: LocalizedError, CustomStringConvertible, Sendable {
  /// The event, its likely cause, and the remedy.
  public let description: String

  /// The event, its likely cause, and the remedy.
  public var errorDescription: String? { description }

  package init(_ description: String) { self.description = description }
}
