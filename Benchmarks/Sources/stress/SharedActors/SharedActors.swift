import Dispatch
import EscapementVirtualTime
import Foundation
import Synchronization

@globalActor actor FirstActor {
  static let shared = FirstActor()
}

@globalActor actor SecondActor {
  static let shared = SecondActor()
}

/// An actor that two scopes use, or scopes and the outside.
actor SharedActor: Napping {
  func nap(_ length: Duration) async throws -> Nap { try await Nap.take(length) }
}

/// An actor that all scopes use, with a thread of its own.
actor ThreadActor: Napping {
  static let shared = ThreadActor()

  private nonisolated let executor = ThreadExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func nap(_ length: Duration) async throws -> Nap { try await Nap.take(length) }
}

/// An actor on which one can sleep.
protocol Napping: Actor {
  func nap(_ length: Duration) async throws -> Nap
}

extension FirstActor: Napping {
  func nap(_ length: Duration) async throws -> Nap { try await Nap.take(length) }
}

extension SecondActor: Napping {
  func nap(_ length: Duration) async throws -> Nap { try await Nap.take(length) }
}

/// A sleep on an actor, as the actor's code has seen it.
struct Nap {
  /// How long it was, by the clock that the actor's code read.
  let length: Duration
  /// What the calendar said when it began.
  let begin: Date
  /// The scope of the actor's code before and after.
  let scopes: [VirtualTime.ID?]

  static func take(
    _ length: Duration, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Nap {
    let (start, begin, scope) = (ContinuousClock.now, Date(), VirtualTime.current?.id)
    try await Task.sleep(for: length)
    return Nap(
      length: start.duration(to: .now), begin: begin, scopes: [scope, VirtualTime.current?.id])
  }
}

/// A serial executor with a thread of its own, for the rest of the process.
private final class ThreadExecutor: SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let due = DispatchSemaphore(value: 0)

  init() {
    Thread.detachNewThread { [self] in
      while true {
        due.wait()
        let jobs = jobs.withLock { jobs in
          defer { jobs = [] }
          return jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    due.signal()
  }
}
