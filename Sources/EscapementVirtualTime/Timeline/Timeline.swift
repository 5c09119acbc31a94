/// What has happened in a virtual-time scope: which task ran, slept, woke, was cancelled, and made others ready.
///
/// ``VirtualTimeOptions/recordsTimeline`` switches the recording on, and ``VirtualTime/timeline`` returns it. The article
/// <doc:ReadingATimeline> shows a picture.
///
/// A timeline can be written as text, as a trace for [Perfetto](https://ui.perfetto.dev) and other viewers of Chrome's
/// format, and as a page for a browser.
///
/// Only the newest 500,000 to 1,000,000 steps are kept.
public struct Timeline: Sendable {
  let events: [TimelineEvent]
  let dropped: Int
  let names: [UInt64: String]
  let places: [WaitingPlace]
  let body: UInt64

  /// The number of steps that were recorded and kept.
  public var stepCount: Int { events.count }

  /// The number of the oldest steps, which were not kept.
  public var droppedStepCount: Int { dropped }

  /// The name of a task, as it is shown.
  func name(_ task: UInt64) -> String {
    if task == body { return "the body" }
    if task == 0 { return "work outside of tasks" }
    return names[task].map { "task \(task) “\($0)”" } ?? "task \(task)"
  }

  func actorName(_ actor: UInt64) -> String? {
    switch actor {
    case TimelineEvent.Actor.none: nil
    case TimelineEvent.Actor.main: "the main actor"
    default: "actor \(actor - 1)"
    }
  }
}
