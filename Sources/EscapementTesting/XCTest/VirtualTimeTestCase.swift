#if canImport(XCTest)
  public import EscapementVirtualTime
  public import XCTest

  /// A test case of XCTest whose tests run in virtual time, synchronous ones as well.
  ///
  /// ```swift
  /// final class NewsletterTests: VirtualTimeTestCase {
  ///   override func setUp() { newsletter.start() }  // starts a task that sleeps for a week
  /// ```
  ///
  /// `setUp`, the test, its teardown blocks and `tearDown` run in one scope, in all of their forms.
  /// The methods of the class, `class func setUp()` and `class func tearDown()`, run outside of it.
  /// `VirtualTime.current` is the handle of the scope. A class that has another base class calls
  /// ``XCTest/XCTestCase/invokeInVirtualTime(_:fileID:filePath:line:column:_:)``, which says what
  /// waits in virtual time, and what happens when a test hangs.
  open class VirtualTimeTestCase: XCTestCase {
    /// The options of the scopes, which a class may override.
    ///
    /// The property is read before each test. In a class on the main actor, the override is
    /// `nonisolated`.
    open var virtualTimeOptions: VirtualTimeOptions { VirtualTimeOptions() }

    /// Runs `setUp`, the test and `tearDown` in one scope.
    ///
    /// A class that overrides this method calls `super.invokeTest()` as always.
    open override func invokeTest() {
      runInVirtualTime(virtualTimeOptions, at: nil) { super.invokeTest() }
    }
  }
#endif
