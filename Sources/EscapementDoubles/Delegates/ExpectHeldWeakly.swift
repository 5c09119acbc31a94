import EscapementTesting
import _EscapementCore

/// Fails the test unless somebody who is given an object holds it weakly.
///
/// The way to see that a class does not keep its delegate alive:
///
/// ```swift
/// expectHeldWeakly(DelegateSpy()) { fetcher.locationFetcherDelegate = $0 }
/// ```
///
/// The object is created, handed over, and let go. It must be gone then.
///
/// - `make`: Creates the object. Nobody else may hold it, so do not pass a variable.
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `holder`: Hands the object over.
public func expectHeldWeakly<Object: AnyObject>(
  _ make: @autoclosure () throws -> Object,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  by holder: (Object) throws -> Void
) rethrows {
  let object = try pool { try handOver(make, holder) }
  guard object.isAlive else { return }
  DoubleOwner.current.report(
    """
    A \(Object.self) is held strongly: it was handed over, the test has let it go, and it exists.

    A property for a delegate has to be 'weak'. If it is, somebody else holds the object: a closure \
    that captures it, a task that runs a method of it, or the test itself, if it has not created \
    the object in the call.
    """,
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// A reference that does not keep what it refers to.
private struct Probe {
  weak var object: AnyObject?
  var isAlive: Bool { object != nil }
}

// Not inlined, so that its references are gone when it returns.
@inline(never)
private func handOver<Object: AnyObject>(
  _ make: () throws -> Object, _ holder: (Object) throws -> Void
) rethrows -> Probe {
  let object = try make()
  try holder(object)
  return Probe(object: object)
}

/// Releases what a setter of Objective-C has left to the pool.
private func pool<Result>(_ body: () throws -> Result) rethrows -> Result {
  #if canImport(ObjectiveC)
    try autoreleasepool { try body() }
  #else
    try body()
  #endif
}
