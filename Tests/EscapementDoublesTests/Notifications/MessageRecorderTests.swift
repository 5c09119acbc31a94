#if compiler(>=6.3)
  import EscapementDoubles
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  @MainActor private final class Library {
    let center: NotificationCenter

    init(_ center: NotificationCenter) { self.center = center }

    func add(_ count: Int) { center.post(BooksDidChange(count: count), subject: self) }

    func lend(_ title: String) { center.post(BookWasLent(title: title), subject: self) }
  }

  private struct BooksDidChange: NotificationCenter.MainActorMessage {
    typealias Subject = Library
    var count: Int
  }

  private struct BookWasLent: NotificationCenter.AsyncMessage {
    typealias Subject = Library
    var title: String
  }

  /// A message whose subject is not a class.
  private struct TimeWasSet: NotificationCenter.MainActorMessage {
    typealias Subject = Int
  }

  @Suite @MainActor struct MessageRecorderTests {
    private let center = NotificationCenter()
    private let library: Library

    init() { library = Library(center) }

    @Test func `a message for the main actor is recorded when it has been posted`() {
      let recorder = MessageRecorder(center: center, for: BooksDidChange.self)
      library.add(1)
      center.post(BooksDidChange(count: 2))
      #expect(recorder.messages.map(\.count) == [1, 2])
      #expect(recorder.count == 2)
    }

    @Test func `messages of one subject are recorded`() {
      let recorder = MessageRecorder(center: center, for: BooksDidChange.self, of: library)
      library.add(1)
      Library(center).add(2)
      center.post(BooksDidChange(count: 3))
      #expect(recorder.messages.map(\.count) == [1])
    }

    @Test func `a subject may be of any type`() {
      let recorder = MessageRecorder(center: center, for: TimeWasSet.self)
      center.post(TimeWasSet())
      #expect(recorder.messages.count == 1)
    }

    @Test func `a test can wait for an asynchronous message`() async throws {
      let recorder = MessageRecorder(center: center, for: BookWasLent.self, of: library)
      Library(center).lend("B")
      library.lend("A")
      try await recorder.wait(forCount: 1)
      #expect(recorder.messages.map(\.title) == ["A"])
    }

    @Test(.virtualStandardClocks, .virtualTime(.init(leftovers: .ignore)))
    func `a test can wait for an asynchronous message in virtual time`() async throws {
      let recorder = MessageRecorder(center: center, for: BookWasLent.self)
      library.lend("A")
      Task {
        try await Task.sleep(for: .seconds(60))
        library.lend("B")
      }
      var titles: [String] = []
      for await message in recorder.prefix(2) { titles.append(message.title) }
      #expect(titles == ["A", "B"])
      #expect(VirtualTime.current?.now.offset == .seconds(60))
    }

    @Test func `notifications and messages of one centre can be recorded together`() {
      let notifications = NotificationRecorder(center: center, named: .placesDidChange)
      let messages = MessageRecorder(center: center, for: BooksDidChange.self)
      expectNotification(named: .placesDidChange, on: center) {
        library.add(1)
        PlaceManager(notificationCenter: center).refresh()
      }
      #expect(notifications.notifications.count == 1)
      #expect(messages.messages.map(\.count) == [1])
    }

    @Test func `a recorder that is released stops observing`() {
      var recorder: MessageRecorder? = MessageRecorder(center: center, for: BooksDidChange.self)
      library.add(1)
      #expect(recorder?.messages.count == 1)
      recorder = nil
      library.add(2)
    }
  }

  @Suite @MainActor struct ExpectMessageTests {
    private let center = NotificationCenter()
    private let library: Library

    init() { library = Library(center) }

    @Test func `a message that is posted passes`() async {
      expectMessage(BooksDidChange.self, of: library, on: center) { library.add(1) }
      expectMessage(BooksDidChange.self, on: center, count: 2, where: { $0.count > 1 }) {
        for count in 1...3 { library.add(count) }
      }
      await expectMessage(BooksDidChange.self, on: center) {
        await Task.yield()
        library.add(1)
      }
    }

    @Test func `expectNoMessage passes if nothing is posted`() async {
      expectNoMessage(BooksDidChange.self, on: center) {}
      await expectNoMessage(BooksDidChange.self, of: library, on: center) {
        await Task.yield()
        Library(center).add(1)
      }
    }

    @Test func `expectNoMessage fails at its line if a message is posted`() {
      let line = #line + 1
      let issues = issues { expectNoMessage(BooksDidChange.self, on: center) { library.add(1) } }
      #expect(issues.map(\.line) == [line])
      #expect(issues.first?.message.hasPrefix("Expected no notification 'BooksDidChange'") == true)
    }

    @Test func `a missing message fails the test and says what was posted instead`() {
      let line = #line + 2
      let issues = issues {
        expectMessage(BooksDidChange.self, of: library, on: center, where: { $0.count > 1 }) {
          library.add(1)
          Library(center).add(2)
        }
      }
      #expect(issues.map(\.line) == [line])
      let message = issues.first?.message ?? ""
      #expect(message.hasPrefix("Expected 1 notification 'BooksDidChange', but none were posted."))
      #expect(message.contains("1 notification 'BooksDidChange' came from another object"))
      #expect(message.contains("1 notification 'BooksDidChange' did not meet the condition"))
    }

    @Test func `a message that is posted too often, or to the default centre, fails the test`() {
      let extra = issues {
        expectMessage(BooksDidChange.self, on: center) { for _ in 1...2 { library.add(1) } }
      }
      #expect(extra.map { $0.message.contains("but 2 were posted") } == [true])
      let lost = Library(.default)
      let leaked = issues {
        expectMessage(BooksDidChange.self, of: lost, on: center) { lost.add(1) }
      }
      #expect(
        leaked.map { $0.message.contains("went to 'NotificationCenter.default'") } == [true])
    }

    @Test func `if the body throws, nothing is checked`() {
      #expect(throws: CancellationError.self) {
        try expectMessage(BooksDidChange.self, on: center) { throw CancellationError() }
      }
    }
  }
#endif
