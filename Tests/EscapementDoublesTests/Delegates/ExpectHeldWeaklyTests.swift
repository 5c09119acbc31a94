import EscapementDoubles
import TestSupport
import Testing

private final class Delegate {}

private final class Holder {
  weak var weakly: Delegate?
  var strongly: Delegate?
  var closure: (() -> Void)?
}

@Suite struct ExpectHeldWeaklyTests {
  private let holder = Holder()

  @Test func `a weak property passes`() {
    expectHeldWeakly(Delegate()) { holder.weakly = $0 }
    #expect(holder.weakly == nil)
  }

  @Test func `an object that is not kept passes`() {
    expectHeldWeakly(Delegate()) { _ in }
  }

  @Test func `a mock's delegate is held weakly`() {
    let fetcher = MockLocationFetcher()
    expectHeldWeakly(CurrentLocationProvider(fetcher: MockLocationFetcher())) {
      fetcher.locationFetcherDelegate = $0
    }
  }

  @Test func `a strong property fails the test at the line of the call`() {
    let line = #line + 1
    let issues = issues { expectHeldWeakly(Delegate()) { holder.strongly = $0 } }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.hasPrefix("A Delegate is held strongly") == true)
  }

  @Test func `a closure that captures the object fails the test`() {
    let issues = issues {
      expectHeldWeakly(Delegate()) { delegate in holder.closure = { _ = delegate } }
    }
    #expect(issues.count == 1)
  }

  @Test func `errors pass through`() {
    #expect(throws: CancellationError.self) {
      try expectHeldWeakly(Delegate()) { _ in throw CancellationError() }
    }
  }
}

@MainActor private protocol ScreenDelegate: AnyObject {}

@MainActor private final class Screen {
  weak var delegate: (any ScreenDelegate)?
}

@MainActor private final class Coordinator: ScreenDelegate {}

@Suite @MainActor struct ExpectHeldWeaklyOnTheMainActorTests {
  @Test func `the closure runs on the main actor`() {
    let screen = Screen()
    expectHeldWeakly(Coordinator()) { screen.delegate = $0 }
  }
}
