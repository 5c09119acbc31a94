@preconcurrency import Dispatch
import EscapementVirtualTime
import TestSupport
import Testing
import _EscapementCore

@Suite(.virtualStandardClocks) struct DispatchSourceTests {
  @Test func `a timer fires at its instants, and not while it is suspended`() async throws {
    let log = try await sameLog { log in
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
      timer.schedule(deadline: .now() + .milliseconds(10), repeating: .milliseconds(10))
      timer.setEventHandler { log.mark("\(timer.data)") }
      await withCheckedContinuation { done in
        timer.setCancelHandler {
          log.mark("cancelled")
          done.resume()
        }
        timer.activate()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(25)) {
          timer.suspend()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(45)) {
          timer.resume()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(55)) {
          timer.cancel()
        }
      }
      timer.setEventHandler(handler: nil)
    }
    #expect(log == ["1@10", "1@20", "2@45", "1@50", "cancelled@55"])
  }

  @Test(arguments: [false, true])
  func `a source that was suspended again calls its other handlers when it is resumed`(
    isCancelled: Bool
  ) async throws {
    let log = try await sameLog { log in
      let queue = DispatchQueue(label: "source")
      let source = DispatchSource.makeUserDataAddSource(queue: queue)
      source.setRegistrationHandler { log.mark("registered") }
      source.setCancelHandler { log.mark("cancelled") }
      queue.sync {
        if isCancelled { source.cancel() }
        source.resume()
        source.suspend()
      }
      try await Task.sleep(for: .milliseconds(10))
      source.resume()
      try await Task.sleep(for: .milliseconds(10))
      source.cancel()
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(log == (isCancelled ? ["cancelled@10"] : ["registered@10", "cancelled@20"]))
  }

  @Test func `a timer of an hour takes no real time`() async throws {
    let log = try await sameLog { log in
      let timer = DispatchSource.makeTimerSource()
      await withCheckedContinuation { done in
        timer.schedule(wallDeadline: .now() + 3600)
        timer.setEventHandler {
          log.mark("fired")
          done.resume()
        }
        timer.resume()
      }
      timer.cancel()
    }
    #expect(log == ["fired@3600000"])
  }

  @Test func `a timer whose instants have passed fires for all of them at once`() async throws {
    let log = try await sameLog { log in
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now() - .milliseconds(100), repeating: .milliseconds(10))
      timer.setEventHandler { log.mark("\(timer.data)") }
      timer.resume()
      try await Task.sleep(for: .milliseconds(25))
      timer.cancel()
      timer.setEventHandler(handler: nil)
    }
    #expect(log == ["11@0", "1@10", "1@20"])
  }

  @Test func `each of a thousand timers fires at its instant, unless it is cancelled`() async throws
  {
    let log = Log<Duration>()
    try await withVirtualTime(.reaching) { time in
      let timers = (1...1000).map { number in
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + .milliseconds(number))
        timer.setEventHandler { log.append(time.now.offset) }
        timer.resume()
        return timer
      }
      for (index, timer) in timers.enumerated() where index % 2 == 1 { timer.cancel() }
      await log.wait(for: 500)
      #expect(time.now.offset == .milliseconds(999))
    }
    #expect(log.entries == stride(from: 1, to: 1000, by: 2).map { .milliseconds($0) })
  }

  @Test func `user data is coalesced until the handler runs`() async throws {
    let log = try await sameLog { log in
      let queue = DispatchQueue(label: "queue")
      let adder = DispatchSource.makeUserDataAddSource(queue: queue)
      let replacer = DispatchSource.makeUserDataReplaceSource(queue: queue)
      adder.setEventHandler { log.mark("add \(adder.data)") }
      replacer.setEventHandler { log.mark("replace \(replacer.data)") }
      adder.activate()
      replacer.activate()
      adder.add(data: 1)
      adder.add(data: 2)
      replacer.replace(data: 3)
      replacer.replace(data: 4)
      try await Task.sleep(for: .milliseconds(1))
      adder.add(data: 5)
      try await Task.sleep(for: .milliseconds(1))
      adder.setEventHandler(handler: nil)
      replacer.setEventHandler(handler: nil)
    }
    #expect(log == ["add 3@0", "replace 4@0", "add 5@1"])
  }

  /// Has a timer, which it replaces by a new one.
  private final class Heart: Sendable {
    private let timer = Lock<(any DispatchSourceTimer)?>(nil)

    func restart(cancels: Bool) {
      nonisolated(unsafe) let new = DispatchSource.makeTimerSource()
      new.setEventHandler {}
      new.schedule(deadline: .now() + .milliseconds(1), repeating: .milliseconds(1))
      new.activate()
      nonisolated(unsafe) let old = timer.withLock { timer in
        defer { timer = new }
        return timer
      }
      if cancels { old?.cancel() }
    }
  }

  @Test(.takingTurns, arguments: [false, true])
  func `a timer is dropped in one scope while it fires in another one`(cancels: Bool) async {
    await #expect(processExitsWith: .success) { [cancels] in
      let heart = Heart()
      await withTaskGroup { scopes in
        for _ in 0..<3 {
          scopes.addTask {
            try? await withVirtualTime(.reaching) { _ in
              for _ in 0..<200 {
                heart.restart(cancels: cancels)
                try await Task.sleep(for: .milliseconds(3))
              }
            }
          }
        }
      }
    }
  }
}
