import CReach
import CVirtualTime
import _EscapementCore

// XCTest runs a test in a call on the main thread, which cannot suspend. Such a call *visits* a
// scope: the body of the scope waits until the call has returned, and the call takes the baton as a
// thread of the scope does. While it waits, the main thread does the work of the main actor.
//
// XCTest runs an asynchronous method in a task, and looks every 0.1 seconds whether that has ended.
// In virtual time, these looks would keep time from jumping. So the main thread waits for the task
// as soon as XCTest has created it.
//
// If queues and threads are real, the scope does not see the call, and time moves as soon as no
// task can run.

/// The run loop of the main thread.
package protocol MainRunLoop: Sendable {
  /// Runs on the main thread until a condition holds.
  func run(until isOver: () -> Bool)
  /// Ends the innermost run of the loop; if that is `run`, it goes on unless its condition holds.
  func stop()
}

/// A call on the main thread that belongs to a scope.
package final class MainThreadVisit: Sendable {
  private struct State {
    var scope: Scope?
    /// Whether the scope has handed the baton to the main thread.
    var hasBaton = false
    /// Whether the scope has ended, or none could begin.
    var isOver = false
    /// The method that the body awaits next, or is to end if there is none.
    var next: Task<Void, Never>??
    var body: UnsafeContinuation<Task<Void, Never>?, Never>?
    /// The method for which XCTest waits.
    var method: Task<Void, Never>?
  }

  private let state = Lock(State())
  private let runLoop: any MainRunLoop

  private init(on runLoop: any MainRunLoop) { self.runLoop = runLoop }

  /// Runs a call on this thread, which is the main one, in a scope, and returns when both have
  /// ended.
  ///
  /// - Parameter fail: Is told of an error for which no scope could begin. The call is not made
  ///   then.
  package static func run(
    _ options: VirtualTimeOptions, reporting reporter: ProblemReporter, on runLoop: any MainRunLoop,
    failing fail: @escaping @Sendable (any Error) -> Void, _ call: () -> Void
  ) {
    let visit = MainThreadVisit(on: runLoop)
    Task {
      do {
        try await EscapementVirtualTime.run(
          { await visit.body(in: $0.scope) }, options.following(ExecutionOrder.plain.plan()),
          isolation: nil, reporting: reporter)
      } catch VirtualTimeError.limitReached, VirtualTimeError.bodyGivenUp {
        // The scope has reported the reason.
      } catch {
        fail(error)
      }
      visit.state.withLock { $0.isOver = true }
      runLoop.stop()
    }
    visit.wait { $0.scope != nil || $0.isOver }
    if let scope = visit.state.withLock(\.scope) { visit.make(call, in: scope) }
    visit.wait(until: \.isOver)
  }

  private func wait(until condition: (State) -> Bool) {
    runLoop.run { state.withLock { condition($0) } }
  }

  /// Ends the innermost run of the main run loop, inside which work of the main queue has run.
  ///
  /// Foundation does so, too, in real time.
  static func stopLoop() { current?.runLoop.stop() }

  // MARK: The body

  private func body(in scope: Scope) async {
    scope.openHold()
    state.withLock { $0.scope = scope }
    runLoop.stop()
    await withTaskCancellationHandler {
      while let method = await nextMethod() {
        await method.value
        runLoop.stop()
      }
    } onCancel: {
      state.withLock(\.method)?.cancel()
    }
  }

  private func nextMethod() async -> Task<Void, Never>? {
    await withUnsafeContinuation { continuation in
      let next = state.withLock { state in
        if state.next == nil { state.body = continuation }
        return state.next.take()
      }
      if let next { continuation.resume(returning: next) }
    }
  }

  /// Lets the body await a method, or end.
  private func letBody(await method: Task<Void, Never>?) {
    let body = state.withLock { state in
      if state.body == nil { state.next = .some(method) }
      return state.body.take()
    }
    body?.resume(returning: method)
  }

  // MARK: The call

  /// The visit that is under way.
  ///
  /// Written while no code of its scope runs.
  nonisolated(unsafe) private static var current: MainThreadVisit?

  private func make(_ call: () -> Void, in scope: Scope) {
    Self.current = self
    defer { Self.current = nil }
    cvt_set_method_begins { MainThreadVisit.current?.await(methodOf: $0) }
    if scope.reaches {
      visit(scope, call)
    } else {
      accompany(scope, call)
    }
  }

  /// Makes the call as a thread of the scope.
  private func visit(_ scope: Scope, _ call: () -> Void) {
    guard awaitBaton(in: scope), scope.enterAsVisitor() else { return }
    cvt_begin_job(nil, scope.jobsBegun)
    scope.closeHold()
    call()
    letBody(await: nil)
    scope.leave()
    let wasLost = scope.state.withLock { $0.baton.lost.threads.contains(cvt_thread_id()) }
    if wasLost { MainQueue.regainThread() }
  }

  /// Waits until the scope hands the baton to this thread, or ends.
  ///
  /// The main queue goes on meanwhile, since the body may be there.
  private func awaitBaton(in scope: Scope) -> Bool {
    let entry = UnsafeMutablePointer<rch_entry>.allocate(capacity: 1)
    defer { entry.deallocate() }
    entry.initialize(
      to: rch_entry(
        run: { _ in MainThreadVisit.current?.takeBaton() },
        drop: { _ in MainThreadVisit.current?.takeBaton() }, place: rch_on_own_thread,
        scope: scope.number, tell: nil, queue: nil, is_exclusive: false, task: nil,
        goes_first: false, life: 0))
    guard scope.accept(ReadyJob(entry)) else { return false }
    wait(until: \.hasBaton)
    return true
  }

  private func takeBaton() {
    state.withLock { $0.hasBaton = true }
    runLoop.stop()
  }

  /// Makes the call beside the scope, so that the tasks that it creates belong there.
  private func accompany(_ scope: Scope, _ call: () -> Void) {
    let outer = cvt_thread_state()
    var thread = outer
    thread.clocks = scope.clocks
    thread.number = scope.number
    thread.is_visitor = true
    cvt_thread_set_state(thread)
    scope.closeHold()
    Scope.$inherited.withValue(scope.number, operation: call)
    cvt_thread_set_state(outer)
    letBody(await: nil)
  }

  /// Waits for a task in which XCTest runs a method, as if the method were the body.
  private func await(methodOf task: UnsafeMutableRawPointer) {
    guard let scope = state.withLock(\.scope), scope.number == cvt_thread_number() else { return }
    let method = unsafeBitCast(
      Unmanaged<AnyObject>.fromOpaque(task).takeUnretainedValue(), to: Task<Void, Never>.self)
    state.withLock { $0.method = method }
    let body = scope.state.withLock { $0.replaceBody(by: task) }
    letBody(await: method)
    cvt_thread_awaits_work(true)
    wait { cvt_has_completed(task) || $0.isOver }
    cvt_thread_awaits_work(false)
    let hasEnded = cvt_has_completed(task)
    // From now on, the code of the test is outside of the scope.
    if !hasEnded { cvt_thread_set_state(cvt_thread()) }
    rch_method_was_awaited(hasEnded)
    _ = scope.state.withLock { $0.replaceBody(by: body) }
    state.withLock { $0.method = nil }
  }
}

extension Scope {
  /// This thread, the main one, has been given the baton.
  ///
  /// - Returns: Whether the scope has not ended.
  fileprivate func enterAsVisitor() -> Bool {
    guard enter(by: .main) else { return false }
    var thread = cvt_thread_state()
    thread.is_visitor = true
    cvt_thread_set_state(thread)
    // The call is not the main actor's, and lets it go on while it waits.
    draining.main.others = 1
    return true
  }
}

extension ScopeState {
  /// Another task is taken for the body; returns the one before.
  fileprivate mutating func replaceBody(
    by task: UnsafeMutableRawPointer?
  ) -> UnsafeMutableRawPointer? {
    defer { body = task }
    return body
  }
}
