#if os(Linux)
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  /// A thread, block or task that takes the lock.
  private enum Contender: CaseIterable {
    case thread, block, task

    func start(_ body: @escaping @Sendable () -> Void) {
      switch self {
      case .thread: Thread.detachNewThread(body)
      case .block: DispatchQueue.global().async(execute: body)
      case .task: Task.detached { body() }
      }
    }

    static let pairs: [[Contender]] = [[.thread, .thread], [.thread, .block], [.block, .task]]
  }

  /// How many are inside at one time.
  private final class Presence: Sendable {
    private let counts = Lock((now: 0, most: 0))

    var most: Int { counts.withLock(\.most) }

    func enter() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }

    func leave() { counts.withLock { $0.now -= 1 } }
  }

  /// Threads, blocks and tasks that hold a lock while they wait, and that are due at the same instants.
  private struct Contention {
    let hold: KindOfLock.Hold
    let wait: @Sendable () -> Void

    /// - Returns: How many were let in twice each, and how many were inside at most.
    func run(_ company: [Contender]) async -> [Int] {
      let inside = Presence()
      let ends = Log<Void>()
      let visit: @Sendable () -> Void = { [self] in
        hold {
          inside.enter()
          wait()
          inside.leave()
        }
      }
      for (index, contender) in company.enumerated() {
        contender.start { [self] in
          if index == 1 { wait() }
          visit()
          wait()
          visit()
          ends.append(())
        }
      }
      await ends.wait(for: company.count)
      return [ends.count, inside.most]
    }

    /// Runs companies in the plain order, and all contenders under some schedules as well.
    func check(
      _ companies: [[Contender]] = [Contender.allCases], schedules: Int = 0
    ) async throws {
      for company in companies {
        try await withVirtualTime(.reaching) { _ in
          #expect(await run(company) == [company.count, 1], "\(company)")
        }
      }
      guard schedules > 0 else { return }
      let report = try await withExploration(schedules, options: .reaching) { _ in
        #expect(await run(Contender.allCases) == [3, 1])
      }
      #expect(report.failure == nil, "\(String(describing: report.failure))")
    }
  }

  // Thread Sanitizer hides waits in the kernel, such as those for a pipe.
  @Suite(
    .virtualStandardClocks, .plainOrder(because: "It explores by itself."), .withoutThreadSanitizer)
  struct LocksAcrossWaitsTests {
    @Test(arguments: KindOfLock.allCases, KindOfBlockingWait.allCases)
    func `a lock is held across a wait`(kind: KindOfLock, wait: KindOfBlockingWait) async throws {
      try await Contention(hold: kind.make(), wait: { wait.wait() }).check(
        Contender.pairs, schedules: 2)
    }

    @Test(arguments: KindOfLock.allCases, KindOfLock.allCases)
    func `a lock is held inside of another one`(outer: KindOfLock, inner: KindOfLock) async throws {
      let (outer, inner) = (outer.make(), inner.make())
      try await Contention(
        hold: { body in outer { inner(body) } }, wait: { usleep(1_000) }
      ).check()
    }

    /// Inside of the first lock, and outside of it, each one waits with two others.
    @Test(arguments: KindOfLock.allCases, [.usleep, .queue, .task, .pipe] as [KindOfBlockingWait])
    func `a lock is held while its owner waits for others`(
      kind: KindOfLock, wait: KindOfBlockingWait
    ) async throws {
      let (first, second, third) = (kind.make(), KindOfLock.nsLock.make(), kind.make())
      try await Contention(hold: first, wait: { second { third { wait.wait() } } }).check()
    }
  }
#endif
