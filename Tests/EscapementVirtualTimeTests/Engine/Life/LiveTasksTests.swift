import CVirtualTime
import Testing

@testable import EscapementVirtualTime

@Suite struct LiveTasksTests {
  /// Stands for a task: how often it is retained tells whether the task has completed.
  private final class StandIn {}

  private func newTask() -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(StandIn()).toOpaque()
  }

  /// A task that completes gives up its reference to itself.
  private func complete(_ task: UnsafeMutableRawPointer) {
    Unmanaged<StandIn>.fromOpaque(task).release()
  }

  @Test func `a task that has not completed remains`() {
    var live = LiveTasks { cvt_retain_count($0) == 1 }
    let task = newTask()
    live.insert(task)
    live.didRun(task)
    #expect(live.remaining() == [task])
    live.removeAll()
    #expect(cvt_retain_count(task) == 1)
    complete(task)
  }

  @Test func `a task that has completed is freed after its last job`() {
    var live = LiveTasks { cvt_retain_count($0) == 1 }
    let task = newTask()
    weak let freed = Unmanaged<StandIn>.fromOpaque(task).takeUnretainedValue()
    live.insert(task)
    complete(task)
    live.didRun(task)
    #expect(freed == nil)
    #expect(live.remaining() == [])
  }

  @Test func `a task that has completed out of sight is not among those that remain`() {
    var live = LiveTasks { cvt_retain_count($0) == 1 }
    let task = newTask()
    weak let freed = Unmanaged<StandIn>.fromOpaque(task).takeUnretainedValue()
    live.insert(task)
    complete(task)
    #expect(live.remaining() == [])
    #expect(freed == nil)
  }

  @Test func `a task is retained once, however often it is seen`() {
    var live = LiveTasks { cvt_retain_count($0) == 1 }
    let task = newTask()
    for _ in 0..<3 { live.insert(task) }
    #expect(cvt_retain_count(task) == 2)
    live.removeAll()
    complete(task)
  }

  @Test func `so many that have not completed are too many, those that have do not count`() {
    var live = LiveTasks(limit: 3) { cvt_retain_count($0) == 1 }
    let tasks = (0..<4).map { _ in newTask() }
    #expect(live.insert(tasks[0]) == false)
    #expect(live.insert(tasks[1]) == false)
    complete(tasks[0])
    #expect(live.insert(tasks[2]) == false)
    #expect(live.remaining().count == 2)
    for _ in 0..<1_030 { if live.insert(newTask()) { return } }
    Issue.record("1,032 are not too many")
  }

  @Test func `one that was never inserted may run`() {
    var live = LiveTasks { cvt_retain_count($0) == 1 }
    let task = newTask()
    live.didRun(task)
    #expect(cvt_retain_count(task) == 1)
    complete(task)
  }

  @Test func `those that have completed out of sight do not pile up`() {
    var live = LiveTasks { cvt_retain_count($0) == 1 }
    weak var first: StandIn?
    for number in 0..<5000 {
      let task = newTask()
      if number == 0 { first = Unmanaged<StandIn>.fromOpaque(task).takeUnretainedValue() }
      live.insert(task)
      complete(task)
    }
    #expect(first == nil)
    live.removeAll()
  }
}
