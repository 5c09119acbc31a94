/// The events of a virtual-time scope: which task ran, slept, woke, was cancelled, and made
/// others ready.
///
/// ``VirtualTimeOptions/recordsTimeline`` switches the recording on, and ``VirtualTime/timeline``
/// returns it. The article
/// <doc:ReadingATimeline> shows a picture.
///
/// A timeline can be written as text, as a trace for [Perfetto](https://ui.perfetto.dev) and other
/// viewers of Chrome's format, and as a page for a browser.
///
/// Only the newest 500,000 to 1,000,000 steps are kept.
public struct Timeline: Sendable {
  let events: [TimelineEvent]
  let dropped: Int
  let names: [UInt64: String]
  /// The types of the actors, by their numbers.
  var actors: [any AnyObject.Type] = []
  let places: [WaitingPlace]
  var failures: [TimelineFailure] = []
  var origins = TaskOrigins()
  var hosts = TimelineHosts()
  let body: UInt64

  /// The number of steps that were recorded and kept.
  public var stepCount: Int { events.count }

  /// The number of the oldest steps, which were not kept.
  public var droppedStepCount: Int { dropped }

  /// The name of a task, as it is shown.
  func name(_ task: UInt64) -> String {
    if task == body { return "the body" }
    if task == 0 { return "work outside of tasks" }
    return label(task) ?? "task \(task)"
  }

  /// A task with its name or, if the code has given it none, with the function in which it begins,
  /// behind that of its host.
  ///
  /// - Parameter line: The line to show behind the function.
  func label(_ task: UInt64, line: Int? = nil) -> String? {
    let host = hosts.host(of: task)
    let line = line.map { ":\($0)" } ?? ""
    let label =
      names[task].flatMap(TaskDescription.shown).map { "task \(task) “\($0)”" }
      ?? function(task, isOfHost: host != nil).map { "\($0)\(line) · task \(task)" }
    return host.map { "\($0): \(label ?? "task \(task)")" } ?? label
  }

  /// The function in which a task begins, unless a host has begun it: all of them have the same.
  private func function(_ task: UInt64, isOfHost: Bool) -> String? {
    let function = origins.shortFunction(of: task)
    return isOfHost && function?.contains("SimulatedHost.") == true ? nil : function
  }

  func actorName(_ actor: UInt64) -> String? {
    switch actor {
    case TimelineEvent.Actor.none: return nil
    case TimelineEvent.Actor.main: return "the main actor"
    default:
      let number = actor - TimelineEvent.Actor.main
      guard number <= actors.count else { return "actor \(number)" }
      return "actor \(number) “\(typeName(actors[Int(number) - 1]))”"
    }
  }
}
