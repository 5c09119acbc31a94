import TestSupport
import Testing
import _EscapementCore

@testable import EscapementTesting

/// The smallest possible double.
private struct Double: Sendable {
  let owner = DoubleOwner.current
  let location = _EscapementCore.SourceLocation(
    fileID: #fileID, filePath: #filePath, line: #line, column: #column)

  func fail(_ message: String) { owner.report(message, at: location) }

  func promise(_ message: String) {
    owner.atEnd { [location] in [DoubleFailure(message, at: location)] }
  }
}

private struct Failure: Error {}

/// Covers `DoubleOwner` and `DoublesTrait` as well.
@Suite struct WithDoublesTests {
  @Test func `the result and the error of the body pass through`() async throws {
    #expect(withDoubles { 1 } == 1)
    #expect(await withDoubles { await Task { 2 }.value } == 2)
    #expect(throws: Failure.self) { try withDoubles { throw Failure() } }
    await #expect(throws: Failure.self) {
      try await withDoubles { try await Task { throw Failure() }.value }
    }
  }

  @Test func `a failure of a foreign thread is reported when the body ends`() {
    var isEnding = false
    let issues = issues {
      withDoubles {
        let double = Double()
        onForeignThread { double.fail("foreign") }
        isEnding = true
      }
    }
    #expect(isEnding)
    #expect(issues.map(\.message) == ["foreign"])
    #expect(issues.map(\.line) == [Int(Double().location.line)])
  }

  @Test func `a failure in a task of the test is reported at once`() async throws {
    var before: [ReportedIssue] = []
    await #expect(throws: Failure.self) {
      try await withDoubles {
        let double = Double()
        before = await issues { await Task { double.fail("in a task") }.value }
        throw Failure()
      }
    }
    #expect(before.map(\.message) == ["in a task"])
  }

  @Test func `each failure of many threads is reported once`() {
    let issues = issues {
      withDoubles {
        let double = Double()
        for number in 0..<50 { onForeignThread { double.fail("\(number)") } }
      }
    }
    #expect(issues.map(\.message) == (0..<50).map(String.init))
  }

  @Test func `expectations that are not met are reported after the failures`() {
    let issues = issues {
      withDoubles {
        let double = Double()
        double.promise("first promise")
        double.promise("second promise")
        onForeignThread { double.fail("foreign") }
      }
    }
    #expect(issues.map(\.message) == ["foreign", "first promise", "second promise"])
  }

  @Test func `a failure that occurs during a check is reported`() {
    let issues = issues {
      withDoubles {
        let double = Double()
        double.owner.atEnd {
          onForeignThread { double.fail("late") }
          return []
        }
      }
    }
    #expect(issues.map(\.message) == ["late"])
  }

  @Test func `if the body throws, failures are reported but expectations are not checked`() {
    let issues = issues {
      try? withDoubles {
        let double = Double()
        double.promise("a promise")
        onForeignThread { double.fail("foreign") }
        throw Failure()
      }
    }
    #expect(issues.map(\.message) == ["foreign"])
  }

  @Test func `an expectation without a scope is not checked`() {
    Double().promise("not checked")
  }

  @Test func `the innermost scope owns a double`() {
    let issues = issues {
      withDoubles {
        let outer = Double()
        onForeignThread { outer.fail("1, of the outer scope") }
        withDoubles {
          let inner = Double()
          onForeignThread { inner.fail("2, of the inner scope") }
          onForeignThread { outer.fail("3, of the outer scope") }
          outer.fail("0, at once")
        }
      }
    }
    #expect(
      issues.map(\.message) == [
        "0, at once", "2, of the inner scope", "1, of the outer scope", "3, of the outer scope",
      ])
  }

  @Test func `a failure in another scope is reported at the end of the owner's scope`() {
    let issues = issues {
      withDoubles {
        let double = Double()
        onForeignThread { withDoubles { double.fail("in another scope") } }
      }
    }
    #expect(issues.map(\.message) == ["in another scope"])
  }

  @Test(.expecting("from a thread", "promised"), .doubles)
  func `the trait makes the test own its doubles`() {
    let double = Double()
    double.promise("promised")
    onForeignThread { double.fail("from a thread") }
  }

  @Test(.expecting("of a detached task"), .doubles, .virtualTime)
  func `the trait can be combined with virtual time`() async {
    let double = Double()
    await Task.detached { double.fail("of a detached task") }.value
  }

  @Test(.virtualStandardClocks, .expecting("of a detached task"), .virtualTime, .doubles)
  func `the trait can be combined with virtual time in the other order`() async throws {
    let double = Double()
    await Task.detached {
      try? await Task.sleep(for: .seconds(60))
      double.fail("of a detached task")
    }.value
  }

  @Test(.expecting("1"), .doubles, arguments: 1...3)
  func `each case of a parameterised test has its own scope`(number: Int) {
    let double = Double()
    onForeignThread { double.fail("1, in case \(number)") }
  }
}

@Suite(.doubles) struct WithDoublesOfSuitesTests {
  @Test(.expecting("from a thread"), .doubles)
  func `a test that has the trait twice reports once`() {
    let double = Double()
    onForeignThread { double.fail("from a thread") }
  }

  @Test(.virtualStandardClocks) func `a suite passes the trait on to its tests`() {
    #expect(DoublesScope.current != nil)
  }
}

/// Each test runs in a process of its own, because failures without a scope are visible only in its output.
@Suite struct DoubleOwnerWithoutScopeTests {
  @Test(.takingTurns) func `a failure of a foreign thread is not lost`() async throws {
    let failures = try await failures {
      await #expect(processExitsWith: .success) {
        let double = Double()
        onForeignThread { double.fail("foreign") }
      }
    }
    #expect(failures.count == 1)
    let text = failures.first?.text
    #expect(
      text?.hasPrefix("foreign\n\nThe failure occurred on a thread that belongs to no") == true)
  }

  @Test(.takingTurns) func `a failure after the end of the scope is not lost`() async throws {
    let failures = try await failures {
      await #expect(processExitsWith: .success) {
        let double = withDoubles { Double() }
        onForeignThread { double.fail("too late") }
      }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.text.hasPrefix("too late") == true)
  }
}
