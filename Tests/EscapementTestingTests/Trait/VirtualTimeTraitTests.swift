import EscapementTesting
import Foundation
import TestSupport
import Testing

@MainActor private final class Model {
  private(set) var count = 0
  private var timer: Task<Void, any Error>?

  func start() {
    timer = Task {
      while true {
        try await Task.sleep(for: .seconds(1))
        count += 1
      }
    }
  }

  func stop() { timer?.cancel() }
}

@Suite struct VirtualTimeTraitTests {
  @Test(.virtualStandardClocks, .virtualTime) @MainActor
  func `a test that sleeps for an hour takes no time`() async throws {
    let model = Model()
    model.start()
    try await Task.sleep(for: .seconds(3600))
    #expect(model.count == 3600)
    model.stop()
  }

  @Test(.virtualStandardClocks, .virtualTime, arguments: 1...100)
  func `every case of a parameterised test has a scope of its own`(hours: Int) async throws {
    let start = Date()
    #expect(start == Date(timeIntervalSince1970: 946_684_800))
    try await Task.sleep(for: .seconds(3600 * hours))
    #expect(Date().timeIntervalSince(start) == Double(3600 * hours))
  }

  @Test func `without the trait there is no scope`() {
    #expect(VirtualTime.current == nil)
  }
}

extension Trait where Self == VirtualTimeTrait {
  fileprivate static var constant: Self { constantTrait }
  fileprivate static var exploringConstant: Self { exploringConstantTrait }
}

private let constantTrait: VirtualTimeTrait = .virtualTime(
  .init(wallClockStart: Duration.seconds(60)))
private let exploringConstantTrait: VirtualTimeTrait = .virtualTime(order: .exploring(3))

/// A constant of a project is one value, which stands at several places around a test.
@Suite(.constant) struct VirtualTimeConstantTests {
  @Test(.virtualStandardClocks) func `a suite passes the constant on`() async throws {
    #expect(Date() == Date(timeIntervalSince1970: 60))
  }

  @Test(.virtualStandardClocks, .constant, arguments: 1...3)
  func `a test has the same constant as its suite`(hours: Int) async throws {
    try await Task.sleep(for: .seconds(3600 * hours))
    #expect(Date() == Date(timeIntervalSince1970: 60 + 3600 * Double(hours)))
  }

  @Suite(.constant) struct Inner {
    @Test(.virtualStandardClocks, .constant)
    func `all suites and the test have the same constant`() {
      #expect(Date() == Date(timeIntervalSince1970: 60))
    }

    @Test(.virtualStandardClocks, .virtualTime(.init(wallClockStart: Duration.zero)))
    func `the trait of the test replaces the constant`() {
      #expect(Date() == Date(timeIntervalSince1970: 0))
    }

    @Suite(.virtualTime(.init(wallClockStart: Duration.zero))) struct Innermost {
      @Test(.virtualStandardClocks, .constant)
      func `the constant of the test replaces the trait between`() {
        #expect(Date() == Date(timeIntervalSince1970: 60))
      }
    }
  }

  @Suite(.exploringConstant) struct Exploring {
    @Test(.exploringConstant) func `a constant that explores stands at two places`() async {
      await twoTasks()
      #expect(VirtualTime.current != nil)
    }
  }
}

/// The options as users write them.
@Suite struct VirtualTimeTraitOptionsTests {
  @Test(.virtualTime(.manual)) func `time moves only by hand`() async throws {
    let time = try VirtualTime.required
    let task = Task { try await time.sleep(for: .seconds(1)) }
    await time.settle()
    #expect(time.nextDeadline?.offset == .seconds(1))
    await time.advance(by: .seconds(1))
    try await task.value
  }

  @Test(.virtualTime(.init(mode: .manual, leftovers: .ignore)))
  func `options are parameters of the trait`() async throws {
    let time = try VirtualTime.required
    Task { try await time.sleep(for: .seconds(1)) }
    await time.settle()
    #expect(time.sleepers.count == 1)
  }

  @Test(.virtualStandardClocks, .virtualTime(.init(wallClockStart: Duration.seconds(60))))
  func `the wall clock starts at a duration since 1970`() {
    #expect(Date() == Date(timeIntervalSince1970: 60))
  }

  @Test(
    .virtualStandardClocks, .virtualTime(.init(wallClockStart: Date(timeIntervalSince1970: 60.5))))
  func `the wall clock starts at a date`() {
    #expect(Date() == Date(timeIntervalSince1970: 60.5))
  }
}

@Suite(.virtualTime(.init(wallClockStart: Duration.zero)))
struct VirtualTimeSuiteTests {
  @Test(.virtualStandardClocks) func `a suite passes the trait on to its tests`() {
    #expect(Date() == Date(timeIntervalSince1970: 0))
  }

  @Test(.virtualStandardClocks, .virtualTime(.init(wallClockStart: Duration.seconds(1))))
  func `the trait of the test has precedence`() {
    #expect(Date() == Date(timeIntervalSince1970: 1))
  }
}
