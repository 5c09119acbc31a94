/// Runs jobs until it is shut down; no job runs after that.
package protocol JobQueue: Actor {
  init(analytics: Analytics)
  /// Returns whether the job was accepted.
  func submit(_ job: @escaping @Sendable () async -> Void) async -> Bool
  func shutDown() async
}

/// Looks whether it is open, reports, and then starts the job: it may be shut down by then.
package actor RacyJobQueue: JobQueue {
  private let analytics: Analytics
  private var isOpen = true
  private var jobs: [Task<Void, Never>] = []

  package init(analytics: Analytics) { self.analytics = analytics }

  package func submit(_ job: @escaping @Sendable () async -> Void) async -> Bool {
    guard isOpen else { return false }
    await analytics.log("job submitted")
    jobs.append(Task { await job() })
    return true
  }

  package func shutDown() async {
    isOpen = false
    for job in jobs { await job.value }
  }
}

/// Starts the job in the step in which it looks.
package actor FixedJobQueue: JobQueue {
  private let analytics: Analytics
  private var isOpen = true
  private var jobs: [Task<Void, Never>] = []

  package init(analytics: Analytics) { self.analytics = analytics }

  package func submit(_ job: @escaping @Sendable () async -> Void) async -> Bool {
    guard isOpen else { return false }
    jobs.append(Task { await job() })
    await analytics.log("job submitted")
    return true
  }

  package func shutDown() async {
    isOpen = false
    for job in jobs { await job.value }
  }
}
