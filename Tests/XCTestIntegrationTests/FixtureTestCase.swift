#if os(Linux)
  import EscapementTesting
  import TestSupport
  import XCTest

  /// A test case that another test runs, to see what it does.
  class FixtureTestCase: VirtualTimeTestCase {
    private(set) var notes: [String] = []
    private(set) var failures: [Failure] = []
    var options = VirtualTimeOptions(leftovers: .fail)

    struct Failure: Equatable {
      let message: String
      let file: String
      let line: Int
    }

    override var virtualTimeOptions: VirtualTimeOptions { options }

    /// Notes something, and how many seconds of the scope have passed.
    func note(_ text: String) {
      // Waits of XCTest end at their instants or some microseconds later.
      let hundredths = VirtualTime.current.map { ($0.now.offset / .milliseconds(10)).rounded() }
      notes.append("\(text) at \(hundredths.map { "\($0 / 100)" } ?? "no time")")
    }

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      failures.append(Failure(message: description, file: filePath, line: lineNumber))
    }
  }

  extension XCTestCase {
    func skipUnlessQueuesAreVirtual() throws {
      // The first scope tries whether they can be virtual.
      let first = FixtureTestCase(name: "first") { _ in }
      first.invokeTest()
      try XCTSkipUnless(
        VirtualTime.virtualizesQueuesAndThreads, "Queues and threads are real on this platform.")
    }
  }
#endif
