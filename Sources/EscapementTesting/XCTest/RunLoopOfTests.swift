#if canImport(XCTest)
  import EscapementVirtualTime
  import XCTest

  /// The main run loop, which code of a test may run as well, beneath the visit's run or inside it.
  ///
  /// `stop` ends the innermost run, which may be one of the test's. So the visit's run looks at its
  /// condition each time before it waits. A run inside another one may also take the wake-up of that
  /// one's timeout. So the outer run ends before it waits again, and Foundation looks at the time.
  final class RunLoopOfTests: MainRunLoop {
    // Only for the main thread:

    /// How many runs of the loop are on the stack.
    nonisolated(unsafe) private var depth = 0
    /// The depth at which a run goes on because the one inside it has ended, or 0.
    nonisolated(unsafe) private var outer = 0
    /// The innermost run of the visit: the depth of the loop there, and when the run is to end.
    nonisolated(unsafe) private var visit: (depth: Int, isOver: () -> Bool)?

    /// Makes a call on the main thread, with the main run loop.
    static func with(_ call: (RunLoopOfTests) -> Void) {
      let loop = RunLoopOfTests()
      // The values of `CFRunLoopActivity`; those of Foundation on Linux have other names.
      let (entry, beforeWaiting, exit) = (1 as UInt, 32 as UInt, 128 as UInt)
      let note: (UInt) -> Void = { activity in
        switch activity {
        case entry: loop.depth += 1
        case exit:
          loop.depth -= 1
          loop.outer = loop.depth
        default: loop.willWait()
        }
      }
      let activities = entry | beforeWaiting | exit
      #if canImport(ObjectiveC)
        let observer = CFRunLoopObserverCreateWithHandler(nil, activities, true, 0) {
          note($1.rawValue)
        }
        CFRunLoopAddObserver(CFRunLoopGetMain(), observer, .commonModes)
        defer { CFRunLoopObserverInvalidate(observer) }
      #else
        let observer = RunLoop.main._observe(.init(rawValue: activities), in: .common) {
          note($0.rawValue)
        }
        defer { observer.invalidate() }
      #endif
      call(loop)
    }

    /// The innermost run is about to wait.
    private func willWait() {
      let isOver = visit.map { $0.depth == depth && $0.isOver() } ?? false
      if isOver || outer == depth { stop() }
      outer = 0
    }

    func run(until isOver: () -> Bool) {
      withoutActuallyEscaping(isOver) { isOver in
        let before = visit
        visit = (depth + 1, isOver)
        while !isOver() { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
        visit = before
      }
    }

    func stop() {
      #if canImport(ObjectiveC)
        CFRunLoopStop(CFRunLoopGetMain())
      #else
        RunLoop.main._stop()
      #endif
    }
  }
#endif
