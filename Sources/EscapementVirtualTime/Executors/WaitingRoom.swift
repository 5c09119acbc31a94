#if os(Linux)
  /// The executor on which tasks wait until the engine lets them go to the actor that they call.
  final class WaitingRoom: SerialExecutor {
    func enqueue(_ job: UnownedJob) {
      if !Routing.take(job, onMain: false, isArriving: true) { Platform.passOn(job) }
    }

    func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }
  }
#endif
