// XCTest of Xcode: only what the package and its dependencies use, from
// developer.apple.com/documentation/xctest. No class is Sendable here, which is stricter.
@_exported import Foundation

open class XCTestCase: NSObject {
  public override init() { fatalError() }
  open var name: String { fatalError() }
  open func invokeTest() { fatalError() }
  open func record(_ issue: XCTIssue) { fatalError() }
  open func setUp() { fatalError() }
  open func setUp() async throws { fatalError() }
  open func setUpWithError() throws { fatalError() }
  open func tearDown() { fatalError() }
  open func tearDown() async throws { fatalError() }
  open func tearDownWithError() throws { fatalError() }
}

public struct XCTSourceCodeLocation {
  public init(filePath: String, lineNumber: Int) { fatalError() }
  public var fileURL: URL { fatalError() }
  public var lineNumber: Int { fatalError() }
}
public struct XCTSourceCodeContext {
  public init(location: XCTSourceCodeLocation?) { fatalError() }
  public var location: XCTSourceCodeLocation? { fatalError() }
}
public struct XCTIssue {
  public enum IssueType: Sendable { case assertionFailure }
  public init(
    type: IssueType, compactDescription: String, detailedDescription: String? = nil,
    sourceCodeContext: XCTSourceCodeContext = XCTSourceCodeContext(location: nil),
    associatedError: (any Error)? = nil
  ) { fatalError() }
  public var compactDescription: String { fatalError() }
  public var sourceCodeContext: XCTSourceCodeContext { fatalError() }
}

public protocol XCTestObservation: NSObjectProtocol {
  func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue)
}
extension XCTestObservation {
  public func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) { fatalError() }
}

open class XCTestObservationCenter: NSObject {
  open class var shared: XCTestObservationCenter { fatalError() }
  open func addTestObserver(_ observer: any XCTestObservation) { fatalError() }
  open func removeTestObserver(_ observer: any XCTestObservation) { fatalError() }
}

open class XCTestExpectation: NSObject {
  public init(description: String) { fatalError() }
  open var isInverted: Bool {
    get { fatalError() }
    set { fatalError() }
  }
  open var expectedFulfillmentCount: Int {
    get { fatalError() }
    set { fatalError() }
  }
  open func fulfill() { fatalError() }
}

extension XCTestCase {
  nonisolated public func expectation(description: String) -> XCTestExpectation { fatalError() }
  nonisolated public func wait(
    for expectations: [XCTestExpectation], timeout seconds: TimeInterval = .infinity,
    enforceOrder: Bool = false
  ) { fatalError() }
  nonisolated public func fulfillment(
    of expectations: [XCTestExpectation], timeout seconds: TimeInterval = .infinity,
    enforceOrder: Bool = false
  ) async { fatalError() }
}

public struct XCTSkip: Error {}

public func XCTAssert(
  _ expression: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) { fatalError() }
public func XCTAssertEqual<T: Equatable>(
  _ expression1: @autoclosure () throws -> T, _ expression2: @autoclosure () throws -> T,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) { fatalError() }
public func XCTAssertNotEqual<T: Equatable>(
  _ expression1: @autoclosure () throws -> T, _ expression2: @autoclosure () throws -> T,
  _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) { fatalError() }
public func XCTAssertNil(
  _ expression: @autoclosure () throws -> Any?, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) { fatalError() }
public func XCTFail(_ message: String = "", file: StaticString = #filePath, line: UInt = #line) {
  fatalError()
}
public func XCTUnwrap<T>(
  _ expression: @autoclosure () throws -> T?, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) throws -> T { fatalError() }
public func XCTSkipUnless(
  _ expression: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String? = nil,
  file: StaticString = #filePath, line: UInt = #line
) throws { fatalError() }
public func XCTAssertTrue(
  _ expression: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line
) { fatalError() }
