import CVirtualTime

/// A task that waits, as reports list it: beside the body, or after it has ended.
struct Leftover: Sendable, CustomStringConvertible {
  /// The parent of a task.
  enum Parent: Hashable, Sendable {
    case body
    case task(TaskDescription)
  }

  let task: TaskDescription
  var parent: Parent?
  /// The sleep of the task, or `nil` if it waits for something else.
  let sleep: Sleep?
  /// The thing for which it waits, if it does not sleep.
  var awaited: Awaited = .unknown
  /// The task that keeps the actor busy for which it waits, if that is known.
  var occupant: TaskDescription?
  /// Whether it has opened a hold that has not ended.
  var isInHold = false
  /// Whether it belongs to a host of a simulated network, which ends with the body.
  var isOfHost = false
  /// The place where it waits, if that is to be shown and can be seen.
  var place: WaitingPlace?

  /// Whether time alone lets the task go on.
  ///
  /// Any other task waits for an event, and does nothing until
  /// other code brings that about.
  var goesOnByItself: Bool { sleep.map { $0.deadline != .never } ?? false }

  var description: String {
    var description = "\(task)"
    switch parent {
    case .body: description += ", a child of the body"
    case .task(let parent): description += ", a child of \(parent)"
    case nil: break
    }
    if isInHold { description += ", inside 'hold { }'" }
    description += sleep.map { ", \($0.wait)" } ?? ", which waits for \(awaited(at: place))"
    return place?.description.map { "\(description)\n    in \($0)" } ?? description
  }

  /// The body's activity, for the sentence that says where it waits.
  var wait: String {
    let hold = isInHold ? ", inside 'hold { }'" : ""
    return hold + (sleep.map { ", \($0.wait)" } ?? ", for \(awaited(at: place))")
  }

  private func awaited(at place: WaitingPlace?) -> String {
    if awaited == .continuation, place?.isInStream == true { return "the next element of a stream" }
    return awaited.description + (occupant.map { ", which \($0) keeps busy" } ?? "")
  }
}
