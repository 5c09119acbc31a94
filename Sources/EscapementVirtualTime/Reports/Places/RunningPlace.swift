import CVirtualTime
import _EscapementCore

/// The place of a thread that has not come back from a job of a scope.
struct RunningPlace: Sendable {
  /// The task that the thread runs, if it runs one.
  let task: RunningTask?
  /// The actor on which it runs the task, such as `the actor “Store”`, if there is one.
  let actor: String?
  /// The object that is the executor of that actor.
  nonisolated(unsafe) let executor: UnsafeRawPointer?
  /// The same, if the actor has no executor of its own.
  nonisolated(unsafe) let defaultActor: UnsafeRawPointer?
  /// Whether the thread waits, and does not compute.
  let isWaiting: Bool
  /// The calls that had not returned at some moments, innermost first.
  private let samples: [[UInt64]]

  /// One thread is asked at a time.
  private static let asking = Lock(())
  // Lives for ever, since a thread may answer late.
  nonisolated(unsafe) private static let stack = UnsafeMutablePointer<cvt_stack>.allocate(
    capacity: 1)
  /// How often a thread is asked that runs: it may be in a function of the runtime just then.
  private static let sampleCount = 100
  /// How often it may leave a question without an answer.
  private static let failureCount = 5
  /// How long it is asked if one answer is of use, since it answers late while it gets no
  /// processor.
  private static let longest: Nanoseconds = 300_000_000

  /// Asks a thread where it is; `nil` if it does not answer.
  init?(of thread: Int32, isWaiting: Bool) {
    let first = Self.asking.withLock { _ in Self.ask(thread) }
    guard let first else { return nil }
    self.isWaiting = isWaiting
    task = first.task
    actor = first.actor
    executor = first.executor
    defaultActor = first.isDefaultActor ? first.executor : nil
    var samples = [first.addresses]
    let end = cvt_uptime() + Self.longest
    var failures = 0
    while !isWaiting, samples.count < Self.sampleCount, failures < Self.failureCount {
      let next = Self.asking.withLock { _ in Self.ask(thread) }
      guard let next else {
        failures += 1
        continue
      }
      samples.append(next.addresses)
      if cvt_uptime() > end, samples.contains(where: { !Symbols.callsSinceJob($0).isEmpty }) {
        break
      }
    }
    self.samples = samples
  }

  /// The task or the work of the thread, as the subject of a sentence.
  func subject(body: UInt64?) -> String {
    let name = task?.name(body: body) ?? "A block or a thread"
    return name == "the body" ? "The body" : name
  }

  private static func ask(
    _ thread: Int32
  ) -> (
    addresses: [UInt64], task: RunningTask?, actor: String?, executor: UnsafeRawPointer?,
    isDefaultActor: Bool
  )? {
    stack.initialize(to: cvt_stack())
    guard cvt_stack_of(thread, stack) else { return nil }
    let addresses = withUnsafeBytes(of: &stack.pointee.addresses) {
      Array($0.bindMemory(to: UInt64.self).prefix(stack.pointee.count))
    }
    let name = withUnsafeBytes(of: &stack.pointee.task_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    let task = stack.pointee.task.map {
      RunningTask(
        retained: $0,
        TaskDescription(id: stack.pointee.task_id, name: name.isEmpty ? nil : name))
    }
    let actor =
      stack.pointee.executor == Awaited.mainExecutor
      ? "the main actor" : stack.pointee.actor_type.map { "the actor “\(typeName(of: $0))”" }
    return (
      addresses, task, actor, stack.pointee.executor, stack.pointee.actor_type != nil
    )
  }

  /// The functions and lines of the user's code in which the thread was seen, as in
  /// ` in Parser.next() Parser.swift:31 <- Reader.read() Reader.swift:18`; empty if none is known.
  var description: String {
    let stacks = samples.map { Symbols.callsSinceJob($0) }.filter { !$0.isEmpty }
    var known: [UInt64: String?] = [:]
    let places = stacks.compactMap { stack in
      if let place = known[stack[0]] { return place }
      let place = Symbols.description(of: stack)
      known[stack[0]] = .some(place)
      return place
    }
    func name(_ place: String) -> Substring { place.prefix { $0 != " " } }
    // In the first instructions of a function, its caller is not seen: such a place is seldom.
    // Lines of the same function tell nothing more.
    let functions = mostFrequentFirst(places.map(name)).compactMap { function in
      places.first { name($0) == function }
    }
    if functions.isEmpty {
      // No line of the calls is known.
      let functions = stacks.compactMap { $0.last.flatMap(Symbols.function) }
      return mostFrequentFirst(functions).first.map { " in \($0)" } ?? ""
    }
    return " in " + functions.prefix(3).joined(separator: ", and in ")
  }
}

/// Each element once, in the order of how often it was there, and of equals the first one first.
private func mostFrequentFirst<Element: Hashable>(_ elements: [Element]) -> [Element] {
  var counts: [Element: Int] = [:]
  var firsts: [Element] = []
  for element in elements {
    if counts[element] == nil { firsts.append(element) }
    counts[element, default: 0] += 1
  }
  return firsts.enumerated().sorted { one, other in
    let (count, otherCount) = (counts[one.element]!, counts[other.element]!)
    return count == otherCount ? one.offset < other.offset : count > otherCount
  }.map(\.element)
}

/// A task that a thread runs.
final class RunningTask: @unchecked Sendable {
  // Sendable because the runtime's task is.

  let description: TaskDescription
  private let task: UnsafeMutableRawPointer

  init(retained task: UnsafeMutableRawPointer, _ description: TaskDescription) {
    self.task = task
    self.description = description
  }

  deinit { Unmanaged<AnyObject>.fromOpaque(task).release() }

  /// The task, or `the body` if it runs the body.
  func name(body: UInt64?) -> String { description.id == body ? "the body" : "\(description)" }

  func cancel() { cvt_cancel_task(task) }
}
