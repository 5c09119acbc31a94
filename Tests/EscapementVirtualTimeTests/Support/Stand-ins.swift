@testable import EscapementVirtualTime

// Jobs and continuations that only have an identity. The state machine passes them around and does
// not use them.

extension UnownedJob {
  /// A job that must not be run.
  static func standIn(_ number: Int) -> UnownedJob {
    unsafeBitCast(UnsafeMutableRawPointer(bitPattern: number + 1)!, to: UnownedJob.self)
  }

  var number: Int { Int(bitPattern: pointer) - 1 }
}

extension ReadyJob {
  static func standIn(_ number: Int) -> ReadyJob { ReadyJob(endingSleep: .standIn(number)) }
}

extension SleepTimer {
  static func standIn(_ number: Int, armedAt: Nanoseconds = 0) -> SleepTimer {
    SleepTimer(.job(.standIn(number)), on: .continuous, armedAt: armedAt)
  }

  var number: Int {
    guard case .job(let job) = wakeup else { return -1 }
    return job.number
  }
}

extension Driver {
  /// A driver whose continuation must not be resumed.
  static func standIn(_ number: Int, _ goal: Goal) -> Driver {
    Driver(
      goal: goal,
      continuation: unsafeBitCast(
        UnsafeMutableRawPointer(bitPattern: number + 1)!,
        to: UnsafeContinuation<Outcome, Never>.self))
  }

  var number: Int {
    Int(bitPattern: unsafeBitCast(continuation, to: UnsafeMutableRawPointer.self)) - 1
  }
}
