@preconcurrency import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing
import _EscapementCore

/// Sources whose last reference is dropped while something of theirs is about to run.
@Suite(.virtualStandardClocks) struct DroppedSourceTests {
  @Test(arguments: [
    (false, false, ["registered@1", "event@1"]), (false, true, ["cancelled@1"]),
    (true, false, []), (true, true, ["cancelled@1"]),
  ])
  func `a source tells a cancellation, and unless it is dropped or cancelled the rest`(
    isDropped: Bool, isCancelled: Bool, expected: [String]
  ) async throws {
    let log = try await sameLog { log in
      let queue = DispatchQueue(label: "queue")
      queue.async { usleep(1_000) }
      var source: (any DispatchSourceUserDataAdd)? =
        DispatchSource.makeUserDataAddSource(queue: queue)
      source?.setRegistrationHandler { log.mark("registered") }
      source?.setEventHandler { log.mark("event") }
      source?.setCancelHandler { log.mark("cancelled") }
      source?.activate()
      source?.add(data: 1)
      if isCancelled { source?.cancel() }
      if isDropped { source = nil }
      try await Task.sleep(for: .milliseconds(5))
      withExtendedLifetime(source) {}
    }
    #expect(log == expected)
  }

  @Test func `an event that is pending when a source is dropped is not told`() async throws {
    let log = try await sameLog { log in
      let queue = DispatchQueue(label: "queue")
      do {
        let source = DispatchSource.makeUserDataAddSource(queue: queue)
        source.setEventHandler { log.mark("event") }
        source.activate()
        try await Task.sleep(for: .milliseconds(1))
        source.add(data: 1)
        try await Task.sleep(for: .milliseconds(1))
        queue.async { usleep(1_000) }
        source.add(data: 1)
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(log == ["event@1"])
  }

  @Test func `a timer that is dropped while its handler runs does not fire again`() async throws {
    let log = try await sameLog { log in
      do {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
        timer.schedule(deadline: .now() + .milliseconds(1), repeating: .milliseconds(1))
        timer.setEventHandler {
          log.mark("begins")
          usleep(2_500)
          log.mark("ends")
        }
        timer.activate()
        try await Task.sleep(for: .milliseconds(3))
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(log == ["begins@1", "ends@3"])
  }

  @Test func `a handler that has a reference to its source is told of each event`() async throws {
    let log = try await sameLog { log in
      let queue = DispatchQueue(label: "queue")
      queue.async { usleep(1_000) }
      do {
        let source = DispatchSource.makeUserDataAddSource(queue: queue)
        source.setEventHandler { log.mark("\(source.data)") }
        source.activate()
        source.add(data: 1)
        queue.asyncAfter(deadline: .now() + .milliseconds(3)) {
          source.setEventHandler(handler: nil)
        }
        queue.asyncAfter(deadline: .now() + .milliseconds(2)) { source.add(data: 2) }
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(log == ["1@1", "2@2"])
  }

  @Test(arguments: [false, true])
  func `what a handler has captured is freed in the queue of its source`(isBusy: Bool) async throws
  {
    let log = try await sameLog { log in
      let lock = Lock(())
      let queue = DispatchQueue(label: "queue")
      var source: (any DispatchSourceUserDataAdd)? =
        DispatchSource.makeUserDataAddSource(queue: queue)
      source?.setEventHandler(
        handler: handler {
          dispatchPrecondition(condition: .onQueue(queue))
          lock.withLock { _ in log.mark("freed") }
        })
      source?.activate()
      if isBusy { source?.add(data: 1) }
      queue.async { usleep(1_000) }
      try await Task.sleep(for: .microseconds(500))
      lock.withLock { _ in source = nil }
      log.mark("dropped")
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(log == ["dropped@0", isBusy ? "freed@2" : "freed@1"])
  }

  @Test func `a source that a later scope drops is freed there`() async throws {
    for _ in 1...20 {
      let log = Log<String>()
      let source = Lock<(any DispatchSourceUserDataAdd)?>(nil)
      try await withVirtualTime(.reaching) { _ in
        let made = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "queue"))
        made.setEventHandler(
          handler: handler {
            usleep(1_000)
            log.mark("freed")
          })
        made.activate()
        source.withLock { $0 = made }
      }
      try await withVirtualTime(.reaching) { _ in
        source.withLock { $0 = nil }
        log.mark("dropped")
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(log.entries == ["dropped@0", "freed@1"])
    }
  }

  @Test(arguments: [false, true])
  func `a handler that is replaced is freed in the queue`(isPending: Bool) async throws {
    let log = try await sameLog { log in
      let lock = Lock(())
      let queue = DispatchQueue(label: "queue")
      let source = DispatchSource.makeUserDataAddSource(queue: queue)
      source.setEventHandler(
        handler: handler {
          dispatchPrecondition(condition: .onQueue(queue))
          lock.withLock { _ in log.mark("freed") }
        })
      source.activate()
      try await Task.sleep(for: .milliseconds(1))
      queue.async { usleep(1_000) }
      if isPending { source.add(data: 1) }
      lock.withLock { _ in source.setEventHandler { log.mark("event") } }
      log.mark("replaced")
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(log == ["replaced@1"] + (isPending ? ["event@2"] : []) + ["freed@2"])
  }

  @Test func `handlers are freed before a cancellation is told`() async throws {
    let log = try await sameLog { log in
      let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "queue"))
      source.setEventHandler(handler: handler { log.mark("freed") })
      source.setCancelHandler { log.mark("cancelled") }
      source.activate()
      source.cancel()
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(log == ["freed@0", "cancelled@0"])
  }

  @Test func `a source that its handler cancels tells it before later blocks run`() async throws {
    let log = try await sameLog { log in
      let queue = DispatchQueue(label: "queue")
      let source = DispatchSource.makeUserDataAddSource(queue: queue)
      source.setEventHandler {
        queue.async { log.mark("block") }
        source.cancel()
        log.mark("event")
      }
      source.setCancelHandler { log.mark("cancelled") }
      source.activate()
      source.add(data: 1)
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(log == ["event@0", "cancelled@0", "block@0"])
  }

  @Test func `an event that is pending goes with its source to another queue`() async throws {
    let log = try await sameLog { log in
      let queues = [DispatchQueue(label: "first"), DispatchQueue(label: "second")]
      let source = DispatchSource.makeUserDataAddSource(queue: queues[0])
      source.setEventHandler {
        dispatchPrecondition(condition: .onQueue(queues[1]))
        log.mark("\(source.data)")
      }
      source.activate()
      try await Task.sleep(for: .milliseconds(1))
      queues[0].async { usleep(1_000) }
      source.add(data: 1)
      (source as? DispatchObject)?.setTarget(queue: queues[1])
      try await Task.sleep(for: .milliseconds(5))
      source.setEventHandler(handler: nil)
    }
    #expect(log == ["1@2"])
  }

  @Test func `a chain of sources, each known to the handler before, is freed`() async throws {
    try await withVirtualTime(.reaching) { _ in
      let count = 50_000
      let freed = Log<Int>()
      let queue = DispatchQueue(label: "queue")
      do {
        var first: (any DispatchSourceTimer)?
        for index in 0..<count {
          let source = DispatchSource.makeTimerSource(queue: queue)
          let captured = AtEnd { freed.append(index) }
          source.setEventHandler { [first] in withExtendedLifetime((first, captured)) {} }
          source.activate()
          first = source
        }
      }
      try await Task.sleep(for: .milliseconds(1))
      #expect(freed.entries == (0..<count).reversed())
    }
  }

  @Test func `the finaliser of a source is called in its queue, in virtual time`() async throws {
    typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void
    typealias Create =
      @convention(c) (UnsafeRawPointer?, UInt, UInt, UnsafeRawPointer?) ->
      UnsafeMutableRawPointer
    typealias SetContext =
      @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) ->
      Void
    typealias SetFinalizer = @convention(c) (UnsafeMutableRawPointer, Function) -> Void

    let log = try await sameLog { log in
      let source = symbol("dispatch_source_create", as: Create.self)(
        dlsym(nil, "_dispatch_source_type_data_add"), 0, 0, nil)
      let ended = DispatchSemaphore(value: 0)
      let context = Unmanaged.passRetained(
        AtEnd {
          usleep(1_000)
          log.mark("freed")
          ended.signal()
        }
      ).toOpaque()
      symbol("dispatch_set_context", as: SetContext.self)(source, context)
      symbol("dispatch_set_finalizer_f", as: SetFinalizer.self)(source) { context in
        Unmanaged<AnyObject>.fromOpaque(context!).release()
      }
      symbol("dispatch_activate", as: Function.self)(source)
      symbol("dispatch_release", as: Function.self)(source)
      wait(for: ended)
      log.mark("ended")
    }
    #expect(log == ["freed@1", "ended@1"])
  }
}

private final class AtEnd: Sendable {
  private let action: @Sendable () -> Void

  init(action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { action() }
}

/// A handler that takes two milliseconds, and does something when it is freed.
private func handler(atEnd action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
  let captured = AtEnd(action: action)
  return { withExtendedLifetime(captured) { _ = usleep(2_000) } }
}

private func symbol<Function>(_ name: String, as type: Function.Type) -> Function {
  unsafeBitCast(dlsym(nil, name), to: type)
}

private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
