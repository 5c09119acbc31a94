#if os(Linux)
  import CVirtualTime
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  /// Two threads of a scope, of which the first one wants a lock that is not free.
  private final class Threads: Sendable {
    private let lock: NSLock
    private let order = Log<Int>()
    private let first = Lock<Int32?>(nil)

    init(wanting lock: NSLock) { self.lock = lock }

    /// Whether the first thread waits for the lock, as the kernel sees it.
    var firstWaits: Bool {
      var effort = cvt_effort()
      guard let thread = first.withLock(\.self) else { return false }
      return cvt_effort_of(thread, &effort) && effort.is_waiting
    }

    /// - Parameter ready: Returns when the lock is not free.
    func start(_ end: DispatchGroup? = nil, when ready: @escaping @Sendable () -> Void = {}) {
      for number in 1...2 {
        end?.enter()
        Thread.detachNewThread { [self] in
          if number == 1 {
            ready()
            first.withLock { $0 = cvt_thread_id() }
            lock.withLock {}
          }
          order.append(number)
          end?.leave()
        }
      }
    }

    /// The numbers of the threads in the order in which they went on.
    func result() async -> [Int] {
      await order.wait(for: 2)
      return order.entries
    }
  }

  /// Locks that threads of several scopes want, such as those of a test library.
  @Suite(
    .virtualStandardClocks, .plainOrder(because: "Threads keep their order."),
    .withoutThreadSanitizer)
  struct LocksOfTheProcessTests {
    private let lock = NSLock()
    private let isLocked = Log<Void>()

    @Test func `a lock whose owner waits in another scope changes no order`() async throws {
      let threads = Threads(wanting: lock)
      async let other: Void = withVirtualTime(.reaching) { [lock, isLocked] time in
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          lock.withLock {
            isLocked.append(())
            end.wait()
          }
        }
        await time.hold {
          await isLocked.wait(for: 1)
          while !threads.firstWaits { await Task.yield() }
        }
        end.signal()
      }
      await isLocked.wait(for: 1)
      try await withVirtualTime(.reaching) { _ in
        threads.start()
        #expect(await threads.result() == [1, 2])
      }
      try await other
    }

    /// The main thread waits in the scope's time, and works for the other scope meanwhile.
    @Test func `a lock whose owner works for another scope changes no order`() async throws {
      let threads = Threads(wanting: lock)
      let mainWaits = Log<Void>()
      async let other: Void = withVirtualTime(.patient) { [lock, isLocked] time in
        await time.hold { await mainWaits.wait(for: 1) }
        await MainActor.run {
          lock.withLock {
            isLocked.append(())
            while !threads.firstWaits {}
          }
        }
      }
      try await withVirtualTime(.patient) { [isLocked] _ in
        await MainActor.run {}
        let end = DispatchGroup()
        threads.start(end) {
          mainWaits.append(())
          while isLocked.entries.isEmpty {}
        }
        // The body has stayed on the main thread.
        end.waitHere()
        #expect(await threads.result() == [1, 2])
      }
      try await other
    }
  }

  extension VirtualTimeOptions {
    /// The threads of one scope wait busily until the other one has the main thread, for which all tests
    /// queue.
    fileprivate static var patient: Self {
      var options = Self.reaching
      options.blockLimit = .seconds(300)
      return options
    }
  }

  extension DispatchGroup {
    fileprivate func waitHere() { wait() }
  }
#endif
