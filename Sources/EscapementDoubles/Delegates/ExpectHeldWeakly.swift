import EscapementTesting
import _EscapementCore

#if canImport(ObjectiveC)
  import ObjectiveC
#endif

/// Fails the test if a closure makes another object hold its argument strongly.
///
/// It shows that a class does not keep its delegate alive:
///
/// ```swift
/// expectHeldWeakly(DelegateSpy()) { fetcher.locationFetcherDelegate = $0 }
/// ```
///
/// The function creates the object, passes it to the closure, and releases it. The object must not
/// exist any more afterwards.
///
/// - `make`: Creates the object. Do not pass a variable: the variable would keep the object.
/// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
///   default that of the caller.
/// - `holder`: Passes the object to the code under test.
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
    A \(Object.self) is held strongly: it still exists although the test has released it.

    The property for a delegate may not be 'weak'. If it is, the object may be kept by a closure that \
    captures it, by a task that runs one of its methods, or by a variable of the test. Make the \
    property 'weak', and create the object in the call of 'expectHeldWeakly'.
    """,
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// A weak reference to an object.
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

/// Releases objects that a setter of Objective-C has put into the autorelease pool.
private func pool<Result>(_ body: () throws -> Result) rethrows -> Result {
  #if canImport(ObjectiveC)
    try autoreleasepool { try body() }
  #else
    try body()
  #endif
}
