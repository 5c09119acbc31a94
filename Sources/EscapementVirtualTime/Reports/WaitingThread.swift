/// A thread that runs code of a scope and waits, as reports show it.
struct WaitingThread: Sendable, CustomStringConvertible {
  let thread: Int32
  /// The function of the kernel in which it waits, if the scope does not know for what.
  let function: String?
  /// The place where it waits, if it has told.
  let place: RunningPlace?
  /// The number of the body's task, if the body has not ended.
  private let body: UInt64?

  init(_ thread: Int32, in function: String? = nil, body: UInt64?) {
    self.thread = thread
    self.function = function
    self.body = body
    place = RunningPlace(of: thread, isWaiting: true)
  }

  var description: String {
    let actor = place?.actor.map { " on \($0)" } ?? ""
    let task = place?.task.map { ", which runs \($0.name(body: body))\(actor)" } ?? ""
    let kernel = function.map { ", in the kernel's function '\($0)'" } ?? ""
    let place = place?.description ?? ""
    return "thread \(thread)\(task)\(kernel)\(place.isEmpty ? "" : "\n   \(place)")"
  }
}
